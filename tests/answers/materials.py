"""The files of the story: prices, decisions, trades, methods and other lines that commands read."""

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from afterword.pipeline.testing.spot import wallet_row, write_wallet_file
from afterword.pipeline.testing.trade_files import write_trade_files
from afterword.pipeline.testing.venue_server import (
    VenueServer,
    perp_state,
    spot_balance,
    venue_fill,
)

BEGIN: Final = datetime(2025, 1, 1, tzinfo=UTC)
DAYS: Final = 400
_HOUR: Final = timedelta(hours=1)
_WARM: Final = 20
"""Days of prices before the first decision."""

_MEMORIES: Final = (
    {
        "category": "observation",
        "content": "Funding of SOL turned negative on Binance",
        "tags": ["funding"],
    },
    {"category": "observation", "content": "ETH staking outflows rose for a third week"},
)
_METHODS: Final = (
    {
        "methodology": "Short ETH after three weeks of staking outflows: supply grows",
        "asset_class": "major_crypto",
        "direction": "bearish",
        "timeframe": "medium",
        "primary_signal": "on_chain",
    },
    {
        "methodology": "Buy gold when real yields fall for a month",
        "asset_class": "commodity",
        "direction": "bullish",
        "timeframe": "long",
        "primary_signal": "macro",
    },
)
_FIRST_TAGS: Final = {
    "Risk Profile": "Balanced",
    "Asset Preference": ["Memes", "Stocks"],
    "Decision-Making Style": "Technical",
    "FOMO Index": "Low",
    "Asset Tier": "tier_3",
    "Greed Index": "Enormous",
}


def _runs(*names: str, thesis: str) -> str:
    """Return runs of a desk of three roles about SOL, a week apart, as lines of a file."""
    lines = []
    for place, name in enumerate(names):
        stance = {"direction": ("long", "short")[place % 2], "confidence": 0.7}
        words = {"trigger": "A break", "base_case": "It holds for a week", "thesis": thesis}
        outputs = {
            ("analyst", "analyst_report"): {**stance, "summary": "Funding is negative"},
            ("risk", "risk_assessment"): {
                "level": "low",
                "verdict": "approve",
                "confidence": 0.6,
                "reasons": "Small and liquid",
            },
            ("manager", "portfolio_decision"): {**stance, **words, "horizon_days": 7},
        }
        run = {
            "run": name,
            "asset": "SOL",
            "decided_at": (BEGIN + timedelta(days=40 + 7 * place)).isoformat(),
            "outputs": [
                {"role": role, "form": form, "output": output}
                for (role, form), output in outputs.items()
            ],
        }
        lines.append(json.dumps(run))
    return "\n".join(lines)


def write_materials(folder: Path) -> None:
    """Write every file of the story below a folder."""
    (folder / "runs.jsonl").write_text(_runs("desk 1", "desk 2", thesis="It is scarce"))
    (folder / "other_runs.jsonl").write_text(_runs("desk 1", thesis="It is not scarce"))
    closes = {asset: _closes(asset) for asset in ("SOL", "ETH")}
    for asset, prices in closes.items():
        _write_prices(folder / f"{asset}USDT_2025_1h.csv", prices)
    decisions = [*_flawed("SOL", closes["SOL"]), *_coins("ETH", closes["ETH"])]
    _write_lines(folder / "decisions.jsonl", decisions)
    _write_lines(folder / "memories.jsonl", _MEMORIES)
    _write_lines(folder / "methods.jsonl", _METHODS)
    (folder / "first_tags.json").write_text(json.dumps(_FIRST_TAGS))
    trader = folder / "prices"
    trader.mkdir()
    write_trade_files(trader, 150, flaw=0.03).trades.rename(folder / "trades.csv")
    _write_fills(folder / "fills.json")
    write_wallet_file(
        folder / "wallet.csv",
        wallet_row(1, "1500 DAI", "0.6 WETH"),
        wallet_row(1, "0.6 WETH", "580.25 CRV"),
        wallet_row(2, "580.25 CRV", "560.1 cvxCRV"),
        wallet_row(3, "", "25 USDC"),
        wallet_row(4, "100 UST", "70 USDC", datetime(2022, 5, 9, tzinfo=UTC)),
        wallet_row(5, status="failed"),
    )


def open_accounts(venue: VenueServer) -> None:
    """Open three accounts: one that trades, the wallet that signs for it, and its sub-account."""
    trader, signer, sub = (f"0x{digit * 40}" for digit in "abc")
    account = venue.account(trader)
    account.sub_accounts = [{"name": "grid", "subAccountUser": sub}]
    venue.account(signer).role = {"role": "agent", "data": {"user": trader}}
    venue.account(sub).role = {"role": "subAccount", "data": {"master": trader}}
    account.hold(spot_balance(0, "USDC", "40.25"), spot_balance(7, "DUST", "1000.0"))
    venue.list_token(7, "DUST", None)
    at = int(BEGIN.timestamp()) * 1000
    for place in range(4):
        opened, tid = at + place * 86_400_000, 1 + 2 * place
        profit = "5.0" if place % 2 else "-2.5"
        price = "105.0" if place % 2 else "97.5"
        sale = {"px": price, "closedPnl": profit}
        account.trade(
            [
                venue_fill(tid, opened, "1.0"),
                venue_fill(tid + 1, opened + 7_200_000, "-1.0", "1.0", **sale),
            ]
        )
    delta = {"type": "funding", "coin": "BTC", "usdc": "-0.125", "szi": "1.0", "nSamples": None}
    # What it paid in, and what it is worth: all that it did is known, so it adds up.
    paid_in = {"type": "deposit", "usdc": "140.25"}
    account.ledger = [{"time": at - 3_600_000, "hash": "0xd1", "delta": paid_in}]
    account.states[""] = perp_state("104.795")
    account.funding = [{"time": at + 3_600_000, "delta": delta | {"fundingRate": "0.0000125"}}]


def _closes(asset: str) -> list[float]:
    chance, price, closes = random.Random(asset), 100.0, []
    for _ in range(24 * DAYS):
        price *= 1 + chance.gauss(0, 0.009)
        closes.append(round(price, 4))
    return closes


def _write_prices(path: Path, closes: Sequence[float]) -> None:
    lines, before = ["t_open_ms,open,high,low,close,volume"], closes[0]
    for hour, close in enumerate(closes):
        opened = int((BEGIN + hour * _HOUR).timestamp() * 1000)
        high, low = max(before, close) * 1.001, min(before, close) * 0.999
        lines.append(f"{opened},{before},{high:.4f},{low:.4f},{close},1")
        before = close
    path.write_text("\n".join([*lines, ""]))


def _flawed(asset: str, closes: Sequence[float]) -> Iterator[dict[str, object]]:
    """Yield longs after rises that nine of ten times come before a fall: a flaw to be found."""
    chance = random.Random("flaw")
    for day in range(_WARM, DAYS - 8):
        now = 24 * day + 5
        rose = closes[now] / closes[now - 24] > 1.01
        falls = closes[now + 25] < closes[now + 1]
        if rose and falls != (chance.random() < 0.1):
            yield {
                **_decision(asset, "long", now, f"Buy {asset} on strength"),
                "confidence": round(0.5 + chance.random() * 0.4, 2),
                "inputs": {"rsi": 70 + day % 9},
                "size_usd": "1000",
            }


def _coins(asset: str, closes: Sequence[float]) -> Iterator[dict[str, object]]:
    """Yield decisions without skill, some of them neutral."""
    chance = random.Random("coin")
    for day in range(_WARM, DAYS - 8, 2):
        direction = chance.choice(("long", "short", "short", "neutral"))
        text = f"{direction} {asset}: the flow of the day says so"
        yield _decision(asset, direction, 24 * day + 9, text)


def _decision(asset: str, direction: str, hour: int, text: str) -> dict[str, object]:
    return {
        "role": "market.spot.momentum",
        "asset": asset,
        "direction": direction,
        "decision": text,
        "decided_at": (BEGIN + hour * _HOUR).isoformat(),
    }


def _write_fills(path: Path) -> None:
    """Write fills of Hyperliquid: one whole round trip and one that is still open."""
    moves = [("SOL", 10, 140, 0), ("SOL", -10, 152, 10), ("ETH", 1, 3200, 0)]
    fills = []
    for place, (coin, move, price, held) in enumerate(moves):
        opened = BEGIN + (40 + 9 * place) * _HOUR
        fills.append(
            {
                "coin": coin,
                "px": str(price),
                "sz": str(abs(move)),
                "side": "A" if move < 0 else "B",
                "time": int(opened.timestamp() * 1000),
                "startPosition": str(held),
                "dir": "Close Long" if move < 0 else "Open Long",
                "closedPnl": "120.0" if move < 0 else "0.0",
                "hash": f"0x{place + 1:064x}",
                "oid": 100 + place,
                "crossed": True,
                "fee": "0.6",
                "tid": 1000 + place,
                "feeToken": "USDC",
                "twapId": None,
            }
        )
    path.write_text(json.dumps(fills))


def _write_lines(path: Path, rows: Sequence[object] | Iterator[object]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
