"""What a prompt begins with: snapshot and brief, the same bytes for a session."""
