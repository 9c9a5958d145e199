"""Games: claimed, played and accepted once; found, told from their records, archived and given away."""
