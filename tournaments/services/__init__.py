"""What can be done in the competition. Views, tasks, admin and commands translate; the decisions are here."""
