"""From files to the Site."""
