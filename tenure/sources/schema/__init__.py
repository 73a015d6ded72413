"""From Nodes to records: fields, aliases, shapes of other systems, and hints for mistakes."""
