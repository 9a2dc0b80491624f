"""Every system behind one small interface."""
