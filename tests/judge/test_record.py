"""Records of observations are written and read again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from extlint_judge.members.record import Answer, ContextMembers, Record, read, write

TEXT = st.text(max_size=8)
PLACES = st.builds(
    ContextMembers, st.fixed_dictionaries({"name": TEXT}), TEXT, st.dictionaries(TEXT, TEXT, max_size=3)
)
RECORDS = st.builds(
    Record,
    TEXT,
    TEXT,
    st.lists(PLACES, max_size=2),
    st.lists(st.builds(Answer, TEXT, st.sampled_from([2, 3]), TEXT), max_size=2),
    st.lists(TEXT, max_size=2),
)


@given(record=RECORDS)
def test_record_round_trips(record: Record) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        write(record, path)
        assert read(path) == record
