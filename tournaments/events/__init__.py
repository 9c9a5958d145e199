"""Events, from their creation to their standings: what is asked for, who organises and enters, who won."""
