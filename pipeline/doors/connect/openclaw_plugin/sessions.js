// The sessions of OpenClaw as sessions of Afterword: its limits and its prompt's beginning hang on
// them.

import { randomUUID } from "node:crypto";

const MOST = 500; // conversations that are remembered; the one used longest ago goes first

export class Sessions {
  #open = new Map();

  constructor(door) {
    this.door = door;
  }

  // Returns the session of a conversation, which its first use begins:
  // `handle` names it to the server, `told` is what its prompts begin with.
  async of(sessionKey, signal) {
    const session = this.#open.get(sessionKey) ?? { key: randomUUID() };
    this.#open.delete(sessionKey); // it becomes the one used last
    this.#open.set(sessionKey, session);
    if (this.#open.size > MOST) this.#open.delete(this.#open.keys().next().value);
    if (session.handle === undefined) {
      const body = { label: `openclaw ${sessionKey}`.slice(0, 200) };
      const begun = await this.door.ask("POST", "/v1/sessions", { body, key: session.key, signal });
      session.handle = begun.handle;
    }
    return session;
  }

  // Lets the next use begin another session.
  forget(sessionKey) {
    const session = this.#open.get(sessionKey);
    this.#open.delete(sessionKey);
    return session?.handle;
  }

  // Ends the session of a conversation that is over.
  async end(sessionKey) {
    const session = this.forget(sessionKey);
    if (session === undefined) return;
    const key = randomUUID();
    await this.door.ask("POST", "/v1/sessions/end", { session, key }).catch(() => {});
  }
}
