"""Tables, whatever format they have: rows in, rows out, in batches that fit into memory."""
