"""What an extension uses, so that what it does not use can be told."""
