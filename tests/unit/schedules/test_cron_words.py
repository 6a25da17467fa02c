"""A cron expression in words says when it fires, or shows itself."""

import pytest

from afterword.schedules.words import cron_words


@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("* * * * *", "every minute"),
        ("*/10 * * * *", "every 10 minutes"),
        ("*/7 * * * *", "every 7 minutes from :00"),
        ("12-59/15 * * * *", "every 15 minutes from :12"),
        ("4,34 * * * *", "every hour at :04 and :34"),
        ("30 3 * * *", "every day at 03:30 Europe/Berlin"),
        ("20 */6 * * *", "every day at 00:20, 06:20, 12:20 and 18:20 Europe/Berlin"),
        ("0 9 * * 1", "on Monday at 09:00 Europe/Berlin"),
        ("0 9 * * 1-5", "from Monday to Friday at 09:00 Europe/Berlin"),
        ("5 0 1 1 *", "on day 1 of the month in January at 00:05 Europe/Berlin"),
        ("*/5 * * * 6", "every 5 minutes, on Saturday"),
        ("0 0 1 * 1", "0 0 1 * 1 (Europe/Berlin)"),
        ("*/7 3 * * *", "*/7 3 * * * (Europe/Berlin)"),
    ],
)
def test_a_cron_expression_in_words(cron: str, words: str):
    assert cron_words(cron, "Europe/Berlin") == words
