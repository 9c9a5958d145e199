"""The site as people meet it: in a real Chromium, against a real running site."""
