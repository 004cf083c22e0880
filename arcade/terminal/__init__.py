"""Everything that touches what is not public in Textual: the driver, the painter, start-up, colours."""
