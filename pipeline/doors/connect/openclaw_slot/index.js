// Afterword in the slot of OpenClaw's own memory, which has no tools then: says what to use instead.
// A plugin of its own, since OpenClaw loads one of the kind `memory` only where it has the slot.

import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const GUIDANCE = [
  "## Memory",
  "The tools of the MCP server `afterword` are the memory: search it with",
  "`afterword__memory_search` before answering about earlier work, decisions, people or preferences,",
  "and store with `afterword__memory_store` what should outlive this conversation.",
  "",
];

export default definePluginEntry({
  id: "afterword-memory",
  name: "Afterword in the memory slot",
  description: "Takes the slot of OpenClaw's own memory.",
  register(api) {
    api.registerMemoryCapability({ promptBuilder: () => GUIDANCE });
  },
});
