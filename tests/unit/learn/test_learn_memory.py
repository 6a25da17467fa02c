"""A report of many trades fits in memory, and so does writing it."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import TextIOBase

from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.doors.render.values import print_json
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.operations.learn.learn import learn_from
from afterword.pipeline.operations.learn.place import LearnPlace
from afterword.pipeline.settings import load
from afterword.pipeline.testing.trade_files import write_trade_files

TRIPS = 600
MOST_BYTES = 4_700
"""Of memory for one trip with all that a report says of it: 280 MB for 60,000 of them."""


@contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """Lend the most memory held since here; bytes."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Counted(TextIOBase):
    """A file that keeps no text."""

    size = 0

    def write(self, text: str) -> int:
        self.size += len(text)
        return len(text)


def test_a_report_of_many_trips_holds_little_of_each(stores, store, ids, tmp_path):
    place = LearnPlace(store, stores, None, load(), system_clock, ids, None, is_kept=False)
    made = write_trade_files(tmp_path, TRIPS)

    def learn(*files):
        options = ReadingOptions(Origin("", ""))
        return learn_from(place, files, [], options, told=lambda _name, _done, _total: None)

    learn(made.trades)  # the first report loads what every report needs
    with traced() as peak:
        report = learn()

        assert len(report.outcomes) == TRIPS
        assert peak() / TRIPS < MOST_BYTES


def test_a_document_is_printed_without_its_text_in_memory(trip):
    trips = 3 * [trip(number) for number in range(1_000)]
    with redirect_stdout(Counted()) as file, traced() as peak:
        print_json(trips)

        assert peak() < file.size / 2
