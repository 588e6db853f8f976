"""The questions to browsers, one module for each subject."""
