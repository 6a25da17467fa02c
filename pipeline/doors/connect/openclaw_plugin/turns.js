// The turns of a user: each begins with what the memory adds to its message, and is kept at its end.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import { Refusal } from "./door.js";
import { isOfUser } from "./scope.js";
import { lastTurn, spoken } from "./texts.js";

const WAIT_MS = 1_000; // for the block of a turn, and once more at its end
const MOST_OPEN = 200; // turns that wait for their end, or for a server that is away

export class Turns {
  #running = new Map(); // by the run of OpenClaw
  #ended = []; // in their order, until the server has them

  constructor(door, sessions, serves, logger) {
    this.door = door;
    this.sessions = sessions;
    this.serves = serves;
    this.logger = logger;
  }

  // Begins a turn; returns the block before its message, or nothing.
  async begin(event, context) {
    if (context.runId === undefined) return undefined;
    const message = spoken(event.currentUserMessage ?? event.prompt ?? "");
    const turn = this.#running.get(context.runId) ?? this.#turnOf(context, message);
    if (turn === undefined) return undefined;
    this.#running.set(context.runId, turn);
    if (this.#running.size > MOST_OPEN) this.#running.delete(this.#running.keys().next().value);
    const signal = AbortSignal.timeout(WAIT_MS);
    try {
      await this.#beginOnServer(turn, signal);
      const { handle: session, key, name } = turn;
      const asked = { session, key: `${key}-texts`, signal };
      const texts = await this.door.ask("POST", `/v1/turns/${name}/texts`, asked);
      const block = [texts.tags, texts.learnings].filter(Boolean).join("\n\n");
      return block ? { prependContext: block } : undefined;
    } catch {
      return undefined; // the end of the turn tries again
    }
  }

  // Keeps a turn that ended, and those that an absent server has not got yet.
  async end(event, context) {
    const { message, reply, calls } = lastTurn(event.messages ?? []);
    const turn = this.#running.get(context.runId) ?? this.#turnOf(context, message);
    if (turn === undefined) return;
    this.#running.delete(context.runId);
    turn.done = {
      outcome: event.success ? "succeeded" : "failed",
      reply: reply || null,
      tool_calls: calls,
    };
    this.#ended.push(turn);
    if (this.#ended.length > MOST_OPEN) this.#ended.shift();
    // Some ways to run a turn wait for its end; a process that runs one turn ends after it.
    await Promise.race([this.#keepEnded(), pause(WAIT_MS, undefined, { ref: false })]);
  }

  // Returns a turn of a user that is captured; undefined for any other.
  #turnOf(context, message) {
    const isCaptured = message && isOfUser(context) && this.serves(context.sessionKey);
    return isCaptured ? { sessionKey: context.sessionKey, message, key: randomUUID() } : undefined;
  }

  async #keepEnded() {
    for (const turn of [...this.#ended]) {
      try {
        await this.#beginOnServer(turn);
        const { handle: session, key, name, done: body } = turn;
        await this.door.ask("PATCH", `/v1/turns/${name}`, { body, session, key: `${key}-end` });
      } catch (error) {
        if (!(error instanceof Refusal && error.isFinal)) return; // later
        this.logger.warn?.(`afterword: a turn is not kept: ${error.message}`);
        if (error.isOfSession) this.sessions.forget(turn.sessionKey);
      }
      this.#ended = this.#ended.filter((other) => other !== turn);
    }
  }

  async #beginOnServer(turn, signal) {
    if (turn.name !== undefined) return;
    turn.handle ??= (await this.sessions.of(turn.sessionKey, signal)).handle;
    const { handle: session, key, message } = turn;
    const asked = { body: { message }, session, key, signal };
    turn.name = (await this.door.ask("POST", "/v1/turns", asked)).turn;
  }
}
