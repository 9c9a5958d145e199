"""Several owners of a bot: invitations, what each of them did, and how somebody leaves."""
