"""Loading: source files to a Site."""
