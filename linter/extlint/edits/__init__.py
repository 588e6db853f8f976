"""From what is wrong to the edits that mend it, which leave everything else of a text as it is."""
