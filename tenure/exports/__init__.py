"""Files other than HTML pages: each export is a function `(site, plan) -> artifacts`."""
