"""What earlier runs found out, so that it need not be found out again.

An answer is kept with the *questions* that were asked on the way to it, as build systems do, and is taken
again if the same questions have the same answers now. So it depends on nothing that was not compared, and
nobody has to say what makes it invalid.

`cache`     Whether a run has enough to parse for all this to pay.
`packages`  The report of a package. The questions are what its files, and the project around it, contain.
`records`   The facts of a script, by its text: what is left if the package has changed. The questions are
            what it imports. Worker processes hand over what they worked out in this form, too.
`alternatives`  Some answers by one key, for the last different answers to their questions.
`values`    Values that pass between scripts: equal ones are made one object, and each has a digest.
`codec`     From an answer to bytes, and back without running anything that the bytes name.
`store`, `disk`  Bytes by the digest of their key: in memory, and in files that many processes share.
`folder`    Where the files are, if that is the user's own.
`engine`    Which extlint this is. It is a part of every key, so that versions share a folder and its bound.

Who keeps an answer adds what it was worked out from to the key; see `Records.answer`.
"""
