"""The arcade as a page in a browser."""
