"""Proof that the walls stand: canaries that try to break out, and what each sandbox attests."""
