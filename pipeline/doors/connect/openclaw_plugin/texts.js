// What was said and done in a turn, read from the messages that OpenClaw hands out.

import { withoutBlocks } from "./blocks.js";

const LONGEST = 50_000; // characters of a message or a reply; the server takes 100,000
const MOST_CALLS = 500;
const LONGEST_ARGUMENTS = 1_000; // characters of JSON; longer ones are left out

// Returns what a person said, as far as it is captured; empty for nothing.
export function spoken(text) {
  return withoutBlocks(text).slice(0, LONGEST).toWellFormed().trim();
}

// Returns the message, the reply and the calls of tools of the last turn.
export function lastTurn(messages) {
  const start = messages.findLastIndex((message) => message?.role === "user");
  const turn = messages.slice(Math.max(start, 0));
  const results = new Map(
    turn.filter((message) => message?.role === "toolResult").map((it) => [it.toolCallId, it]),
  );
  const replies = turn.filter((message) => message?.role === "assistant");
  const calls = replies.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter((part) => part?.type === "toolCall") : [],
  );
  return {
    message: start < 0 ? "" : spoken(textOf(messages[start])),
    reply: spoken(replies.map(textOf).filter(Boolean).join("\n\n")),
    calls: calls.slice(0, MOST_CALLS).map((call) => ({
      name: call.name,
      arguments: small(call.arguments),
      succeeded: results.get(call.id)?.isError !== true,
    })),
  };
}

function textOf({ content }) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.filter((part) => part?.type === "text").map((part) => part.text);
  return texts.join("\n");
}

function small(given) {
  const isObject = given !== null && typeof given === "object" && !Array.isArray(given);
  return isObject && JSON.stringify(given).length <= LONGEST_ARGUMENTS ? given : {};
}
