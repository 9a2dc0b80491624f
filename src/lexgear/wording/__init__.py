"""Every sentence a person reads on the page or in a report, one file a language."""
