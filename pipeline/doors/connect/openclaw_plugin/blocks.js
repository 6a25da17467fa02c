// The blocks of recalled text, as the server writes them, and how they are taken out of a text: what
// was recalled is never captured as if somebody had said it.

const OPENING = "<memory-context>";
const CLOSING = "</memory-context>";

// Returns a text without such blocks; one that is not closed reaches to its end.
export function withoutBlocks(text) {
  const parts = [];
  let from = 0;
  for (;;) {
    const opening = text.indexOf(OPENING, from);
    if (opening < 0) return [...parts, text.slice(from)].join("").trim();
    parts.push(text.slice(from, opening));
    const closing = text.indexOf(CLOSING, opening);
    if (closing < 0) return parts.join("").trim();
    from = closing + CLOSING.length;
  }
}
