// The way to `afterword serve`: every wait is bounded, and a server that fails is left alone.

import { readFile } from "node:fs/promises";

const FAILURES = 3; // in a row, until the server is left alone
const PAUSE_MS = 10_000; // until it is looked at again, which no turn waits for
const LONGEST_WAIT_MS = 2_000;

// What the server answers instead of what was asked.
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `Afterword answered ${status}`);
    this.status = status;
    this.field = problem?.field;
  }

  // Whether the same request is refused again: the server works, and the token is good.
  get isFinal() {
    return this.status < 500 && ![401, 403, 408].includes(this.status);
  }

  // Whether the session is the reason: it ended, or the server never had it.
  get isOfSession() {
    return this.status === 404 || this.field === "session";
  }
}

export class Door {
  #failures = 0;
  #pausedUntil = 0;

  // `connection` is the file with the address and the token, as `afterword connect` writes it.
  constructor(connection, logger) {
    this.connection = connection;
    this.logger = logger;
  }

  // Asks the server; returns its answer as JSON.
  // `key` names a write, so that repeating it has one effect; `session` is a handle of `Sessions`.
  // Throws a Refusal where it refuses, and any other error where it does not answer.
  async ask(method, path, { body, key, session, signal } = {}) {
    if (this.#failures >= FAILURES) {
      this.#look();
      throw new Error("Afterword does not answer; it is asked again later");
    }
    try {
      const answer = await this.#send(method, path, { body, key, session, signal });
      if (this.#failures) this.logger.info?.("afterword: it answers again");
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof Refusal && error.isFinal) this.#failures = 0;
      else this.#count(error);
      throw error;
    }
  }

  async #send(method, path, { body, key, session, signal }) {
    const { url, token } = JSON.parse(await readFile(this.connection, "utf8"));
    const headers = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (key !== undefined) headers["idempotency-key"] = key;
    if (session !== undefined) headers["afterword-session"] = session;
    const answer = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: "error", // the token goes to this server alone
      signal: signal ?? AbortSignal.timeout(LONGEST_WAIT_MS),
    });
    const value = await answer.json();
    if (!answer.ok) throw new Refusal(answer.status, value);
    return value;
  }

  #count(error) {
    this.#failures += 1;
    if (this.#failures === FAILURES) {
      this.#pausedUntil = Date.now() + PAUSE_MS;
      this.logger.warn?.(`afterword: left alone for ${PAUSE_MS / 1000} s: ${error.message}`);
    }
  }

  // Looks whether the server is back, once a pause, while others go on without it.
  #look() {
    if (Date.now() < this.#pausedUntil) return;
    this.#pausedUntil = Date.now() + PAUSE_MS;
    this.#send("GET", "/v1/manifest", {}).then(
      () => {
        this.#failures = 0;
        this.logger.info?.("afterword: it answers again");
      },
      () => {},
    );
  }
}
