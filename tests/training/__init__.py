"""The example with PyTorch, from the installed package."""
