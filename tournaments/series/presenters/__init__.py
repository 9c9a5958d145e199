"""Series in words and figures, as their pages and downloads show them."""
