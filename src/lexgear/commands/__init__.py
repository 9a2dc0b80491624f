"""What each command of the command line does, grouped by what it works on."""
