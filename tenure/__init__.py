"""Academic homepages that last."""

__version__ = "0.1.0"
