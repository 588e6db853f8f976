"""Forward analysis: from the API's roots to every access and call of a member."""
