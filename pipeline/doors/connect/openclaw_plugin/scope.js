// Whom the memory serves: conversations of the user, and nothing that runs beside them.

const BESIDE = new Set(["subagent", "cron", "hook", "acp", "node"]);
const SHARED = new Set(["group", "channel"]);

// Says whether a session gets what is remembered. Keys have the form `agent:<id>:<rest>`; in group
// chats others read along, so they are left out unless the owner allows them.
export function isServed(sessionKey, withGroupChats) {
  if (!sessionKey) return false;
  const [first, , ...rest] = sessionKey.toLowerCase().split(":");
  const parts = first === "agent" ? rest : sessionKey.toLowerCase().split(":");
  if (BESIDE.has(parts[0])) return false;
  return withGroupChats || !parts.some((part) => SHARED.has(part));
}

// Says whether a turn answers a person: no heartbeat, no scheduled job, no other session.
export function isOfUser(context) {
  const kind = context?.inputProvenance?.kind;
  return context?.trigger === "user" && (kind === undefined || kind === "external_user");
}
