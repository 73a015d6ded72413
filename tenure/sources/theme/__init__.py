"""Settings, options, overrides and translations of a theme."""
