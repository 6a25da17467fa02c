"""A desk of five roles: each fills in a form by a forced tool call, the last decides, and the run
is captured. Where it ran on this asset before, it begins with how those runs came out.

AFTERWORD_INSTITUTION_LEARNING_ENABLED=true ANTHROPIC_API_KEY=... \
    python examples/institution_desk.py BTC "it broke out of its range" METHOD_ID
"""

import json
import sys

import anthropic

from afterword import Agent, forced_choice, output_tool

DESK = {
    "market analyst": "analyst_report",
    "bull": "debate_argument",
    "risk officer": "risk_assessment",
    "trader": "trader_proposal",
    "portfolio manager": "portfolio_decision",
}

asset, news, method = sys.argv[1:]
client = anthropic.Anthropic()
with Agent.open() as agent:
    told = agent.institution_retrospect(asset)  # empty at the first run
    print(told.block, end="\n" if told.block else "")
    talk, outputs = f"{asset}: {news}. If you follow it, cite method {method} .", []
    for role, form in DESK.items():
        reply = client.messages.create(
            model="claude-haiku-5-5",
            max_tokens=1024,
            system=f"You are the {role} of a trading desk.\n{told.block}",
            messages=[{"role": "user", "content": talk}],
            tools=[output_tool(form)],
            tool_choice=forced_choice(form),
        )
        outputs.append({"role": role, "form": form, "reply": reply.model_dump(mode="json")})
        filled = next(part.input for part in reply.content if part.type == "tool_use")
        talk += f"\n{role}: {json.dumps(filled)}"
    run = agent.institution_capture(reply.id, asset, outputs, retrospect=told.digest)
    print(f"captured {filled['direction']} {asset}, decision {run.decision}; {run.note or 'fine'}")
