"""What each verb of the command line does; they print to people, the wings do not."""
