"""A server at work, watched through its counters: nothing is asked of it, no text is read."""
