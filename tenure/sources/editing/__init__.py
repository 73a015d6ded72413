"""From data to sources: edits of files, forms and the JSON Schema for editors, YAML as a person writes it."""
