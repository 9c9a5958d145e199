"""A bot that learns by playing itself: proximal policy optimisation with PyTorch, on the CPU or a GPU."""
