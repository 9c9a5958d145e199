"""What the site says in the reader's language, also of stored messages and of packages that speak English."""
