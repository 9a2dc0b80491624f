"""The page: the same answers as the API's, as HTML that works without a script, and with htmx in parts."""
