"""Requests and answers: what is read, refused, limited and sent out."""
