"""The researcher and the wishes for the web, in frozen types."""
