"""What forgetting says: what stays, what waits for its proof, and where else content may stand."""

from datetime import UTC, datetime
from pathlib import Path

from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.operations.forget.model import (
    Copy,
    ForgetReport,
    MatchingRows,
    Preview,
    Proof,
)
from afterword.pipeline.views.operator.forget import forget_preview, forget_proof

AT = datetime(2026, 1, 5, tzinfo=UTC)
FOUND = Preview((MatchingRows("memories", "erased", tuple(range(1, 1_301))),), {}, (), {}, {}, 0)
NOTHING = Preview((), {}, (7, 8), {"perps_fills": 1_200}, {"9": AT}, 2)


def test_a_preview_says_what_stays_and_which_erasures_wait_for_their_proof():
    assert text(forget_preview(NOTHING), Screen()).splitlines() == [
        "no row matches",
        "memory 9 was erased at 2026-01-05 00:00:00Z; nothing is left to erase",
        "its other versions stay: 7, 8; name them to erase them too",
        "1,200 rows of perps_fills stay (the venue's own record); --trades erases them",
        "2 erasures are not proved yet; --apply completes the proof",
    ]


def test_a_long_list_of_rows_is_cut_and_their_number_is_not():
    _, row, last = text(forget_preview(FOUND), Screen()).splitlines()

    assert row == "memories  erased  1,300  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"
    assert last == "nothing was changed; --apply erases these 1,300 rows for good"


def test_a_proof_says_where_else_the_content_stands():
    copies = (Copy(Path("replies.jsonl"), 3), Copy(Path("r.sqlite"), 1_000, "autumn"))
    proof = Proof(20, 2_000, (Path("a"), Path("b")), 0, (), {"role_memory": 4}, 5, copies)
    said = text(forget_proof(ForgetReport(NOTHING, proof)), Screen()).splitlines()

    assert said[4:-1] == [
        "proved: 0 of 2,020 found in 2 files (20 phrases, 2,000 words that no other row has)",
        "4 of the phrases are also in role_memory, in rows that were not requested",
        "5 rows are too short to search for",
        "not changed: replies.jsonl contains 3 of them; delete it, or take them out of it",
        "not changed: replay autumn contains 1,000 of them; "
        "remove it with `afterword replay rm autumn`",
    ]
    assert said[-1].startswith("not changed: other groups; backups")
