// Whom the memory serves: the owner of this OpenClaw, and nothing that runs beside the conversation.

const OF_THE_OWNER = new Set(["main", "dashboard"]);

// Says whether a session gets what is remembered. Keys have the form `agent:<id>:<kind>:…`; chats of
// peers, groups and channels are other people's unless the owner names them.
export function isServed(sessionKey, named) {
  if (!sessionKey) return false;
  if (named.includes(sessionKey)) return true;
  const [first, , kind, ...rest] = sessionKey.split(":");
  const isIncognito = rest.some((part) => part.startsWith("incognito-"));
  return first === "agent" && OF_THE_OWNER.has(kind) && !isIncognito;
}

// Says whether a turn answers a person: no heartbeat, no scheduled job, no other session.
export function isOfUser(context) {
  const kind = context?.inputProvenance?.kind;
  return context?.trigger === "user" && (kind === undefined || kind === "external_user");
}
