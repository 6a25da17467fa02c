"""A trading agent that reads what its last calls came to, and then makes the next one.

python examples/trading_agent.py SOL long "it broke out of its range on rising volume"
"""

import sys

from afterword import Agent

ROLE = "market.spot.momentum"
asset, direction, reason = sys.argv[1:]

with Agent.open() as agent:
    # One case proves nothing: it comes only when it is asked for, and says what it is.
    for lesson in agent.role_recall(ROLE, f"{direction} {asset}: {reason}", single_cases=True):
        print(f"[{lesson.label}] {lesson.lesson} (why: {', '.join(lesson.why)})")
    print(agent.memory_compiled_page(asset))  # the result stands in its timeline
    seen = {"asset": asset, "direction": direction, "reason": reason}
    made = agent.role_record(ROLE, reason, asset, direction, context=seen)
    print(f"recorded {made.direction} {made.asset} as {made.id}")
