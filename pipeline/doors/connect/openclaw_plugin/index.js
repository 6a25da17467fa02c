// The memory of Afterword beside OpenClaw's own: registers what the other files do.
// Reading order: scope.js (whom it serves), door.js (the way to `afterword serve`), sessions.js,
// corpus.js (search), prompts.js, blocks.js and texts.js (what was said in a turn), turns.js.

import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

import { corpus } from "./corpus.js";
import { Door } from "./door.js";
import { Prompts } from "./prompts.js";
import { isServed } from "./scope.js";
import { Sessions } from "./sessions.js";
import { Turns } from "./turns.js";

const ENDINGS = new Set(["new", "reset", "idle", "daily", "deleted"]);

export default definePluginEntry({
  id: "afterword",
  name: "Afterword",
  description: "The memory of Afterword beside OpenClaw's own.",
  register(api) {
    const config = api.pluginConfig ?? {};
    const door = new Door(new URL("connection.json", import.meta.url), api.logger);
    const sessions = new Sessions(door);
    const serves = (sessionKey) => isServed(sessionKey, config.sessions ?? []);

    api.registerMemoryCorpusSupplement(corpus(door, serves));
    if (config.prompt !== false) {
      const prompts = new Prompts(door, sessions, serves);
      api.registerMemoryPromptSupplement((asked) => prompts.guide(asked));
      api.registerMemoryPromptPreparation((asked) => prompts.prepare(asked));
    }
    if (config.capture !== false) {
      const turns = new Turns(door, sessions, serves, api.logger);
      api.on("before_prompt_build", (event, context) => turns.begin(event, context));
      api.on("agent_end", (event, context) => turns.end(event, context));
    }
    api.on("session_end", (event, context) => {
      const sessionKey = event.sessionKey ?? context?.sessionKey;
      if (ENDINGS.has(event.reason)) return sessions.end(sessionKey);
    });
  },
});
