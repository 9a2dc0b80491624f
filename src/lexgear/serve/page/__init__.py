"""The web page: server-rendered HTML with htmx."""
