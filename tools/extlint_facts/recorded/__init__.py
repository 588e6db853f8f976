"""What browsers were seen to have: files that extlint_judge writes, never a person."""
