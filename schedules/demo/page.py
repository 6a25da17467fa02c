"""The demo's report as a page to read."""

import textwrap
from datetime import datetime
from typing import Final

import typer

from afterword.pipeline.views.words import moment, printable
from afterword.schedules.demo.decided import DecisionStory
from afterword.schedules.demo.learnt import PAGE_FILE, TradesStory
from afterword.schedules.demo.methods import MethodsStory
from afterword.schedules.demo.prices import SPLITS
from afterword.schedules.demo.recalled import ENTRIES, DemoAnswer
from afterword.schedules.demo.replayed import PAGE_FILE as REPLAY_PAGE_FILE
from afterword.schedules.demo.replayed import ReplayStory
from afterword.schedules.demo.rule import FAST, SLOW
from afterword.schedules.demo.run import FILLS_FILE, Report
from afterword.schedules.demo.trades import FEE_RATE, STAKE_USD
from afterword.schedules.demo.weighed import RecordStory

WIDTH: Final = 88
"""Characters of a line."""

NAME_WIDTH: Final = 10
"""Characters for the name in front of a value."""

_CLASSES: Final[dict[str, str]] = {
    "variance": "luck, as far as the record shows",
    "exogenous": "the market's own move",
    "missing_data": "a source had something that the decision lacked",
    "logic_error": "such calls were confirmed as failing",
}


def print_page(report: Report) -> None:
    """Print the report, section by section."""
    _print_intro(report)
    _print_trades(report)
    _line("")
    _line("2. Memories answer questions")
    for answer in report.answers:
        _print_answer(answer)
    _print_decision(report.decision)
    _print_record(report.record, report.decision)
    _print_methods(report.methods)
    _print_prompt(report)
    _print_learnt(report.learnt)
    _print_replay(report.replay)
    _print_next(report)


def _print_intro(report: Report) -> None:
    splits = ", ".join(f"{ticker} {ratio}:1 on {day}" for ticker, day, ratio in SPLITS)
    _line("Afterword demo: a trading agent's memory at work, without a server, model or network.")
    _line("")
    _field(
        "prices",
        f"Real daily prices of {', '.join(report.assets)}, {report.first_day} to "
        f"{report.last_day}, in USD, split-adjusted: each is for one share as of "
        f"{report.last_day} (splits: {splits}). Dividends are left out. Source: Quandl WIKI, "
        "public domain.",
    )
    _field(
        "trades",
        f"Made by a simple rule, not by a person: ${STAKE_USD:,} long while the {FAST}-day average "
        f"is above the {SLOW}-day average, short while it is below. Fees are "
        f"{(FEE_RATE * 100).normalize():f} % of each fill.",
    )


def _print_trades(report: Report) -> None:
    trades = report.trades
    lost = trades.round_trips - trades.won
    failed = sum(count for outcome, count in report.jobs.items() if outcome != "done")
    _line("")
    _line("1. Trades become memories")
    _field("imported", f"{trades.fills:,} fills, in the form of Hyperliquid's API ({FILLS_FILE})")
    _field(
        "memories",
        f"{trades.round_trips} closed positions, each one a memory: {trades.won} won, {lost} lost, "
        f"{_signed_usd(trades.net_micro_usd)} after fees. An agent stored {len(ENTRIES)} more "
        "memories in a session",
    )
    _field(
        "jobs",
        f"{report.jobs.get('done', 0)} done, {failed} failed. Each was written in the same "
        "transaction as its memory or decision, ran in the background and noted which assets "
        f"the memory is about: {report.edges:,} links",
    )


def _print_answer(answer: DemoAnswer) -> None:
    _line("")
    _field("question", answer.question)
    for found in answer.found:
        _field("", f"{found.day or f'[{found.category}]'} {found.text}", hanging=2)


def _print_decision(one: DecisionStory) -> None:
    averages = [
        f"{name.removeprefix('average_')}-day average {value}"
        for name, value in one.context.items()
        if name.startswith("average_")
    ]
    closes = ", ".join(one.context["closes"])
    days = (one.matures_at - one.recorded_at).days
    _line("")
    _line("3. A decision is judged when its time has come")
    _field("recorded", f"{moment(one.recorded_at)} by the role {one.role}, {one.direction}:")
    _field("", f"“{one.text}”")
    _field("known then", f"closes {closes}; {', '.join(averages)}; kept unchanged")
    _field(
        "matured",
        f"{moment(one.matures_at)}, {days} days later, as the role says. One second before, "
        f"{one.judged_early} decisions were judged",
    )
    _field(
        "outcome",
        f"{one.outcome}: from {one.entry_usd:.2f} to {one.exit_usd:.2f} USD, "
        f"{one.change * 100:+.2f} % after a {one.direction}. Within "
        f"±{one.noise_band * 100:.2f} % it would be noise: a quarter of its usual move, and costs",
    )
    _field(
        "class",
        f"{one.classification.replace('_', ' ')} ({_CLASSES[one.classification]}), by a rule, not "
        f"by a model: {one.why}",
    )
    if one.lesson:
        _field("lesson", "one case, shown on request only: afterword role show has it")


def _print_record(record: RecordStory, one: DecisionStory) -> None:
    decided = f"{record.decisions:,} decisions on {record.assets} {record.asset_class}s"
    _line("")
    _line("4. One loss proves nothing; the record says whether there is a pattern")
    _field(
        "decisions",
        f"Each turn of the rule is one, of the same role and ${STAKE_USD:,}: "
        f"{decided}, {record.right} right, {record.wrong} wrong, {record.noise} noise",
    )
    _field(
        "such calls",
        f"{record.setup}, as the one above was: {record.setup_record}. (Decisions that share "
        "prices are one stretch; the base is what calls without skill get)",
    )
    _field("pattern", record.verdict)
    for text in record.patterns:
        _field("", text)
    _field("change", f"What would change this: {record.change}")
    _field("coins", record.coins)
    if record.next_prompt:
        _field("prompt", f"Before its next decision in {one.skill}, the agent reads")
        _text(record.next_prompt)
    else:
        _field(
            "prompt",
            "Next time the agent reads no lesson: only what is confirmed reaches it",
        )


def _print_prompt(report: Report) -> None:
    _line("")
    _line("6. The agent's next session starts with this brief")
    _text(report.prompt)


def _print_methods(story: MethodsStory) -> None:
    seed, coin = story.seed, story.coin
    _line("")
    _line("5. A method enters prompts when its record is told apart from luck")
    _field(
        "methods",
        f"call {story.asset} up, week by week to {seed.last_at:%Y-%m}: {story.decisions} calls. "
        f"One is spared {story.peeks * 100:.0f} % of the weeks that fall: its edge is planted, to "
        "show what a true one looks like. The other follows a coin",
    )
    _field(
        "seed",
        f"{seed.made_at:%Y-%m-%d}: made from {seed.made_from} calls that name RSI, which count "
        f"nothing for it: “{seed.text}”",
    )
    _field(
        "verdict",
        f"{_day(seed.strict_at)}: graduated, {seed.before}. Since then {seed.since}",
    )
    _field("coin", f"never: {coin.record}")
    _field(
        "usual rule",
        "every window a use, chance one half, lower bound 0.55: it let the coin in on "
        f"{_day(coin.literal_at)}, because {story.asset} rose",
    )
    _field("luck", story.luck)
    _field("prompt", f"Before it decides on {story.asset}, the agent is shown")
    (shown,) = (line for line in story.block.splitlines() if line.startswith("- ["))
    _text(shown.replace(seed.uid, "its id"))


def _print_learnt(one: TradesStory) -> None:
    _line("")
    _line("7. What its trades teach, as `afterword learn` tells it of any export")
    for place, line in enumerate(one.headline):
        _field("" if place else "result", line)
    _field("tested", one.tried)
    for line in one.named:
        _field("", line)
    _field(
        "page",
        f"{PAGE_FILE}: the curve, {one.looked_at} lines not told apart from chance, every trade",
    )


def _print_replay(one: ReplayStory) -> None:
    _line("")
    _line("8. A replay runs the whole loop over the past, as if it had run then")
    _field(
        "replayed",
        f"{one.from_day} to {one.to_day}: a {one.rule} rule decides every {one.every_days} days on "
        f"each stock, beside {one.placebos} placebos: {one.decisions:,} decisions, weighed by what "
        "was known then",
    )
    _field("result", f"{one.result} (σ: the usual move in {one.every_days} days)")
    _field("verdict", one.verdict)
    _field("state hash", one.state_hash)
    _field("", "Equal on every run and machine, whatever the prices did afterwards")
    _field("page", f"{REPLAY_PAGE_FILE}: the curves beside a coin, every method, the placebos")


def _print_next(report: Report) -> None:
    _line("")
    _line("Try next:")
    for line in (
        f"afterword memory search '{report.answers[0].question}' --limit 3 --explain",
        "afterword page GOOG",
        f"afterword role show {report.decision.id}",
        f"afterword role summary {report.decision.role}",
        f"afterword role pattern show {report.decision.role} {report.record.asset_class} long up",
        "afterword methodology ls",
        f"afterword methodology show {report.methods.seed.id}",
        "afterword memory write preference 'No new positions on Fridays'",
        f"afterword learn $AFTERWORD_HOME/{FILLS_FILE}",
        f"afterword replay report {report.replay.name}",
        f"afterword replay ablate {report.replay.name}",
    ):
        _line(f"  {line}")


def _field(name: str, value: str, hanging: int = 0) -> None:
    """Print a value beside its name, wrapped below itself."""
    indent = " " * (3 + NAME_WIDTH + 2)
    first = f"   {name:<{NAME_WIDTH}}  "
    _wrapped(value, first, indent + " " * hanging)


def _text(text: str) -> None:
    """Print a text as it is, wrapped, behind a bar."""
    _line("")
    for line in text.splitlines():
        _wrapped(line, "   | ", "   |   ")


def _wrapped(text: str, first: str, later: str) -> None:
    lines = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
    )
    for line in lines or [first.rstrip()]:
        _line(line)


def _line(text: str) -> None:
    typer.echo(printable(text))  # stored text must not control the terminal


def _day(at: datetime | None) -> str:
    assert at is not None, "the demo's prices and its coin are always the same"
    return f"{at:%Y-%m-%d}"


def _signed_usd(micro_usd: int) -> str:
    return f"{'-' if micro_usd < 0 else '+'}${abs(micro_usd) / 1e6:,.0f}"
