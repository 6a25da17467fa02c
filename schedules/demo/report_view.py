"""The demo's report as it is told."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, Section, Verbatim, View
from afterword.pipeline.views.words import moment
from afterword.schedules.demo.decided import DecisionStory
from afterword.schedules.demo.learnt import LEARNT_PAGE_FILE, TradesStory
from afterword.schedules.demo.methods import MethodsStory
from afterword.schedules.demo.prices import SPLITS
from afterword.schedules.demo.recalled import ENTRIES, DemoAnswer
from afterword.schedules.demo.replayed import REPLAY_PAGE_FILE, ReplayStory
from afterword.schedules.demo.rule import FAST, SLOW
from afterword.schedules.demo.run import FILLS_FILE, Report
from afterword.schedules.demo.taught import ASKED_LATER, TaughtStory
from afterword.schedules.demo.trades import FEE_RATE, STAKE_USD
from afterword.schedules.demo.weighed import RecordStory

_ABOUT: Final = (
    "Afterword demo: a trading agent's memory at work, without a server, model or network."
)
_CLASSES: Final[dict[str, str]] = {
    "variance": "luck, as far as the record shows",
    "exogenous": "the market's own move",
    "missing_data": "a source had something that the decision lacked",
    "logic_error": "such calls were confirmed as failing",
}


def demo_view(report: Report) -> View:
    """Return what the demo did, step by step, and what to try next."""
    decision, record = report.decision, report.record
    return View(
        [
            Paragraph(_ABOUT),
            Section("", [_material(report)]),
            Section("1. Trades become memories", [_trades(report)]),
            Section("2. Memories answer questions", list(map(_answer, report.answers))),
            Section("3. A decision is judged when its time has come", [_decision(decision)]),
            Section(
                "4. One loss proves nothing; the record says whether there is a pattern",
                _record(record, decision.skill),
            ),
            Section(
                "5. A method enters prompts when its record is told apart from luck",
                _methods(report.methods),
            ),
            Section(
                "6. The agent's next session starts with this brief",
                [Section("", [Verbatim(report.prompt)])],
            ),
            Section("7. A task that was done twice is suggested", [_taught(report.taught)]),
            Section(
                "8. What its trades teach, as `afterword learn` tells it of any export",
                [_learnt(report.learnt)],
            ),
            Section(
                "9. A replay runs the whole loop over the past, as if it had run then",
                [_replay(report.replay)],
            ),
            Section("Try next", [Verbatim("\n".join(_commands(report)))]),
        ],
        title="Afterword demo",
        is_prose=True,
    )


def _material(report: Report) -> Fields:
    splits = ", ".join(f"{ticker} {ratio}:1 on {day}" for ticker, day, ratio in SPLITS)
    return Fields(
        {
            "prices": f"Real daily prices of {', '.join(report.assets)}, {report.first_day} to "
            f"{report.last_day}, in USD, split-adjusted: each is for one share as of "
            f"{report.last_day} (splits: {splits}). Dividends are left out. Source: Quandl WIKI, "
            "public domain.",
            "trades": f"Made by a simple rule, not by a person: ${STAKE_USD:,} long while the "
            f"{FAST}-day average is above the {SLOW}-day average, short while it is below. Fees "
            f"are {(FEE_RATE * 100).normalize():f} % of each fill.",
        }
    )


def _trades(report: Report) -> Fields:
    trades = report.trades
    lost = trades.round_trips - trades.won
    failed = sum(count for outcome, count in report.jobs.items() if outcome != "done")
    return Fields(
        {
            "imported": f"{trades.fills:,} fills, in the form of Hyperliquid's API ({FILLS_FILE})",
            "memories": f"{trades.round_trips} closed positions, each one a memory: {trades.won} "
            f"won, {lost} lost, {_signed_usd(trades.net_micro_usd)} after fees. An agent stored "
            f"{len(ENTRIES)} more memories in a session",
            "jobs": f"{report.jobs.get('done', 0)} done, {failed} failed. Each was written in the "
            "same transaction as its memory or decision, ran in the background and noted which "
            f"assets the memory is about: {report.edges:,} links",
        }
    )


def _answer(answer: DemoAnswer) -> Section:
    found = [f"{one.day or f'[{one.category}]'} {one.text}" for one in answer.found]
    return Section("", [Fields({"question": answer.question}), Items(found)])


def _decision(one: DecisionStory) -> Fields:
    averages = [
        f"{name.removeprefix('average_')}-day average {value}"
        for name, value in one.context.items()
        if name.startswith("average_")
    ]
    closes = ", ".join(one.context["closes"])
    days = (one.matures_at - one.recorded_at).days
    facts = {
        "recorded": f"{moment(one.recorded_at)} by the role {one.role}, {one.direction}: "
        f"“{one.text}”",
        "known then": f"closes {closes}; {', '.join(averages)}; kept unchanged",
        "matured": f"{moment(one.matures_at)}, {days} days later, as the role says. One second "
        f"before, {one.judged_early} decisions were judged",
        "outcome": f"{one.outcome}: from {one.entry_usd:.2f} to {one.exit_usd:.2f} USD, "
        f"{one.change * 100:+.2f} % after a {one.direction}. Within ±{one.noise_band * 100:.2f} % "
        "it would be noise: a quarter of its usual move, and costs",
        "class": f"{one.classification.replace('_', ' ')} ({_CLASSES[one.classification]}), by a "
        f"rule, not by a model: {one.why}",
    }
    if one.lesson:
        facts["lesson"] = "one case, shown on request only: afterword role show has it"
    return Fields(facts)


def _record(record: RecordStory, skill: str) -> Sequence[Block]:
    decided = f"{record.decisions:,} decisions on {record.assets} {record.asset_class}s"
    facts = {
        "decisions": f"Each turn of the rule is one, of the same role and ${STAKE_USD:,}: "
        f"{decided}, {record.right} right, {record.wrong} wrong, {record.noise} noise",
        "such calls": f"{record.setup}, as the one above was: {record.setup_record}. (Decisions "
        "that share prices are one stretch; the base is what calls without skill get)",
        "pattern": " ".join((record.verdict, *record.patterns)),
        "change": f"What would change this: {record.change}",
        "coins": record.coins,
    }
    if not record.next_prompt:
        nothing = "Next time the agent reads no lesson: only what is confirmed reaches it"
        return [Fields(facts | {"prompt": nothing})]
    reads = f"Before its next decision in {skill}, the agent reads"
    return [Fields(facts | {"prompt": reads}), Section("", [Verbatim(record.next_prompt)])]


def _methods(story: MethodsStory) -> Sequence[Block]:
    seed, coin = story.seed, story.coin
    (shown,) = (line for line in story.block.splitlines() if line.startswith("- ["))
    facts = {
        "methods": f"call {story.asset} up, week by week to {seed.last_at:%Y-%m}: "
        f"{story.decisions} calls. One is spared {story.peeks * 100:.0f} % of the weeks that fall: "
        "its edge is planted, to show what a true one looks like. The other follows a coin",
        "seed": f"{seed.made_at:%Y-%m-%d}: made from {seed.made_from} calls that name RSI, which "
        f"count nothing for it: “{seed.text}”",
        "verdict": f"{_day(seed.strict_at)}: graduated, {seed.before}. Since then {seed.since}",
        "coin": f"never: {coin.record}",
        "usual rule": "every window a use, chance one half, lower bound 0.55: it let the coin in "
        f"on {_day(coin.literal_at)}, because {story.asset} rose",
        "luck": story.luck,
        "prompt": f"Before it decides on {story.asset}, the agent is shown",
    }
    return [Fields(facts), Items([shown.replace(seed.uid, "its id")])]


def _taught(one: TaughtStory) -> Fields:
    return Fields(
        {
            "turns": f"{one.reviewed} in two sessions, reviewed by rule: what a user asks for "
            f"again is worth keeping. Learned: “{one.trigger}”",
            "suggested": f"A third turn, “{ASKED_LATER}”, is shown: {one.steps}",
        }
    )


def _learnt(one: TradesStory) -> Fields:
    return Fields(
        {
            "result": " ".join(one.headline),
            "tested": " ".join((one.tried, *one.named)),
            "page": f"{LEARNT_PAGE_FILE}: the curve, {one.looked_at} lines not told apart from "
            "chance, every trade",
        }
    )


def _replay(one: ReplayStory) -> Fields:
    return Fields(
        {
            "replayed": f"{one.from_day} to {one.to_day}: a {one.rule} rule decides every "
            f"{one.every_days} days on each stock, beside {one.placebos} placebos: "
            f"{one.decisions:,} decisions, weighed by what was known then",
            "result": f"{one.result} (σ: the usual move in {one.every_days} days)",
            "verdict": one.verdict,
            "state hash": f"{one.state_hash} on every run and machine, whatever the prices did "
            "afterwards",
            "page": f"{REPLAY_PAGE_FILE}: the curves beside a coin, every method, the placebos",
        }
    )


def _commands(report: Report) -> list[str]:
    role, asset_class = report.decision.role, report.record.asset_class
    return [
        f"afterword memory search '{report.answers[0].question}' --limit 3 --explain",
        "afterword page GOOG",
        f"afterword role show {report.decision.id}",
        f"afterword role summary {role}",
        f"afterword role pattern show {role} {asset_class} long up",
        "afterword methodology ls",
        f"afterword methodology show {report.methods.seed.id}",
        "afterword learning show 1",
        "afterword memory write preference 'No new positions on Fridays'",
        f"afterword learn $AFTERWORD_HOME/{FILLS_FILE}",
        f"afterword replay report {report.replay.name}",
        f"afterword replay ablate {report.replay.name}",
    ]


def _day(at: datetime | None) -> str:
    assert at is not None, "the demo's prices and its coin are always the same"
    return f"{at:%Y-%m-%d}"


def _signed_usd(micro_usd: int) -> str:
    return f"{'-' if micro_usd < 0 else '+'}${abs(micro_usd) / 1e6:,.0f}"
