"""Sites, CVs and lists of other systems to sources of Tenure; nothing in `tenure` imports it."""
