// What a prompt begins with: who the user is and what stands, the same bytes for a whole session.

const WAIT_MS = 1_000; // with the block of a turn, an answer waits two seconds at most
const GUIDANCE = [
  "## Afterword, a second memory",
  '`memory_search` with corpus="all" also finds what Afterword remembers, and `memory_get` with',
  'corpus="wiki" reads one of its hits whole.',
  "The tools of the MCP server `afterword` store there what should outlive this conversation, such",
  "as `afterword__memory_store`.",
  "",
];

export class Prompts {
  constructor(door, sessions, serves) {
    this.door = door;
    this.sessions = sessions;
    this.serves = serves;
  }

  // Returns how the memory is used.
  guide({ agentSessionKey }) {
    return this.serves(agentSessionKey) ? GUIDANCE : [];
  }

  // Returns what a prompt begins with; nothing where the server does not answer in time.
  async prepare({ agentSessionKey }) {
    if (!this.serves(agentSessionKey)) return [];
    const signal = AbortSignal.timeout(WAIT_MS);
    try {
      const session = await this.sessions.of(agentSessionKey, signal);
      session.told ??= await told(this.door, session.handle, signal);
      return session.told;
    } catch {
      return []; // the door says in the log why
    }
  }
}

// The portrait stands first: what it shows is not in the snapshot.
async function told(door, session, signal) {
  const portrait = await door.ask("GET", "/v1/personalization", { session, signal });
  const snapshot = await door.ask("GET", "/v1/snapshot", { session, signal });
  const text = [portrait.text, snapshot.text].filter(Boolean).join("\n\n");
  return text ? [...text.split("\n"), ""] : [];
}
