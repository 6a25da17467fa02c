"""The report as text: what a newcomer reads on a terminal, line by line."""

from afterword.pipeline.doors.commands.learn_lines import print_report


def test_a_line_of_the_list_is_named_by_what_lists_its_trades(report, cell, capsys):
    print_report(report(looked_at=[cell("setup", "long after a fall")]), "afterword learn x", ())
    said = capsys.readouterr().out

    assert "'setup=long after a fall'" in said
    assert "The trades of a line: afterword learn x --cell …, as the line writes it." in said
