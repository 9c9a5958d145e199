"""What pages of people's games say."""
