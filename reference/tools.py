"""Every tool of an agent with its arguments, as a model is told of them."""

from typing import Any

from afterword.pipeline.doors.agent import TOOLS, schema
from afterword.pipeline.doors.agent.offered import USUAL_TOOLS
from reference.markdown import code, page, table

INTRODUCTION = """The tools of an agent: methods of `Agent`, entries of `afterword.tools()`, \
and what `afterword mcp` offers ([how the model gets at them](../model.md)). A tool that is not \
always offered over MCP is offered with `AFTERWORD_MCP_TOOLS=all`."""


def tools_page() -> str:
    """Return the page: the list of tools, then a section for each."""
    rows = [(f"[`{name}`](#{name})", schema(name)["description"], _offered(name)) for name in TOOLS]
    return page(
        "Tools of an agent",
        INTRODUCTION,
        table(("tool", "what it does", "over MCP"), rows),
        *(_tool(name) for name in TOOLS),
    )


def _offered(name: str) -> str:
    return "always" if name in USUAL_TOOLS else "with `all`"


def _tool(name: str) -> str:
    told, effect = schema(name), TOOLS[name].effect
    effects = ["writes" if effect.writes else "reads only"]
    effects += ["may replace what was there"] if effect.replaces else []
    effects += ["adds again when repeated"] if effect.repeats else []
    offer = f"Effect: {', '.join(effects)}. Over MCP: {_offered(name)}."
    parts = [f"## {name}", told["description"], offer]
    rows = [
        (code(argument), _type(field), _needed(argument, told), _meaning(field))
        for argument, field in told["properties"].items()
    ]
    if rows:
        parts.append(table(("argument", "type", "default", "meaning"), rows))
    return "\n\n".join(parts)


def _needed(argument: str, told: dict[str, Any]) -> str:
    if argument in told.get("required", ()):
        return "required"
    default = told["properties"][argument].get("default")
    return "" if default in (None, "", [], {}) else code(default)


def _type(field: dict[str, Any]) -> str:
    """Return the JSON type of an argument; null only says that it may be left out."""
    if "anyOf" in field:
        types = [_type(choice) for choice in field["anyOf"] if choice.get("type") != "null"]
        return " or ".join(dict.fromkeys(types))
    if "enum" in field:
        return " \\| ".join(code(value) for value in field["enum"])
    if field.get("type") == "array" and "type" in field.get("items", {}):
        return f"array of {field['items']['type']}"
    return str(field.get("type", "any"))


def _meaning(field: dict[str, Any]) -> str:
    limits = {
        "maxLength": "{} characters at most",
        "maxItems": "{} at most",
        "minimum": "from {}",
        "maximum": "up to {}",
    }
    told = [words.format(f"{field[key]:,}") for key, words in limits.items() if key in field]
    described = str(field.get("description", ""))
    return f"{described} ({'; '.join(told)})" if told else described
