"""Drive a real agent of Hermes, in its own Python: a command a line in, an answer a line out.

It reads the address of a model service as its argument, and its home from HERMES_HOME.
"""

import contextlib
import json
import sys
import time

ANSWERS = sys.stdout
sys.stdout = sys.stderr  # what Hermes prints is no answer


def begin(model: str, session: str, facts: dict):
    from run_agent import AIAgent

    return AIAgent(
        base_url=f"{model}/v1",
        api_key="none",
        provider="custom",
        model="scripted",
        session_id=session,
        enabled_toolsets=["memory"],
        quiet_mode=True,
        skip_context_files=True,
        max_iterations=6,
        **facts,
    )


def main(model: str) -> None:
    agent, history = None, []
    for line in sys.stdin:
        command = json.loads(line)
        answer = {}
        match command.pop("do"):
            case "discover":
                from plugins.memory import discover_memory_providers

                answer = {"providers": discover_memory_providers()}
            case "begin":
                agent, history = begin(model, command["session"], command.get("facts", {})), []
                manager = agent._memory_manager
                answer = {
                    "tools": [tool["function"]["name"] for tool in agent.tools],
                    "providers": [each.name for each in manager.providers] if manager else [],
                }
            case "say":
                began = time.monotonic()
                result = agent.run_conversation(command["text"], conversation_history=history)
                history = result["messages"]
                answer = {"reply": result["final_response"], "took_s": time.monotonic() - began}
            case "settle":  # what is stored after a turn is stored in the background
                answer = {"settled": agent._memory_manager.flush_pending(timeout=30)}
            case "new":  # what /new does
                agent.session_id = command["session"]
                agent._cached_system_prompt, ended, history = None, history, []
                agent._memory_manager.commit_session_boundary_async(
                    ended, new_session_id=command["session"]
                )
                agent._memory_manager.flush_pending(timeout=30)
            case "sync":  # the turn that has just ended, once more
                provider = agent._memory_manager.providers[0]
                provider.sync_turn(**command["arguments"], messages=history)
            case "end":
                agent.shutdown_memory_provider(history)
        ANSWERS.write(json.dumps(answer) + "\n")
        ANSWERS.flush()


with contextlib.suppress(KeyboardInterrupt):
    main(sys.argv[1])
