// Keeps the views of a page up to date while somebody looks at them. Without it every page works;
// it shows what was true when it was loaded.
"use strict";

const EVERY_MS = 2000; // between two questions
const MOST_MS = 15000; // between two questions while the server does not answer
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

const line = document.querySelector("p.live");
const parts = document.querySelectorAll("[data-part]");
let tag = null;
let waits = EVERY_MS;
let timer = null;
let asks = false;

function say(words) {
  if (!line) return;
  line.textContent = words;
  line.hidden = !words;
}

// What must be the same after a part was replaced: the focus, opened details, scrolled tables.
function placeOf(part) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const focusable = [...part.querySelectorAll(FOCUSABLE)];
  const href = focused && focused.getAttribute("href");
  return {
    index: focused ? focusable.indexOf(focused) : -1,
    href,
    open: [...part.querySelectorAll("details")].map((detail) => detail.open),
    scrolled: [...part.querySelectorAll(".scroll, .list")].map((box) => [box.scrollLeft, box.scrollTop]),
  };
}

function putBack(part, place) {
  part.querySelectorAll("details").forEach((detail, number) => {
    if (place.open[number]) detail.open = true;
  });
  part.querySelectorAll(".scroll, .list").forEach((box, number) => {
    if (place.scrolled[number]) [box.scrollLeft, box.scrollTop] = place.scrolled[number];
  });
  if (place.index < 0) return;
  const focusable = [...part.querySelectorAll(FOCUSABLE)];
  const same = place.href && focusable.find((item) => item.getAttribute("href") === place.href);
  const target = same || focusable[place.index];
  if (target) target.focus({ preventScroll: true });
}

function replace(html) {
  const answer = new DOMParser().parseFromString(html, "text/html");
  for (const part of parts) {
    const newer = answer.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!newer || newer.innerHTML === part.innerHTML) continue;
    const selection = document.getSelection();
    // What somebody is copying stays until it is copied.
    if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) {
      tag = null;
      continue;
    }
    const place = placeOf(part);
    part.replaceChildren(...newer.childNodes);
    putBack(part, place);
  }
}

async function ask() {
  const address = new URL(location.href);
  address.searchParams.delete("done");
  const headers = { "Afterword-Live": "1" };
  if (tag) headers["If-None-Match"] = tag;
  const answer = await fetch(address, { headers, cache: "no-store", redirect: "error" });
  if (answer.status === 401) {
    say("You were logged out. Load the page again to log in.");
    return false;
  }
  if (answer.status === 200) {
    const html = await answer.text();
    tag = answer.headers.get("ETag");
    replace(html);
  } else if (answer.status >= 500) {
    throw new Error(String(answer.status));
  } else if (answer.status !== 304) {
    say("What this page shows is gone.");
    return false;
  }
  say("");
  return true;
}

async function tick() {
  timer = null;
  if (document.hidden || asks) return;
  asks = true;
  let goes = true;
  try {
    goes = await ask();
    waits = EVERY_MS;
  } catch {
    say("The server does not answer. What you see may be old; this page goes on when it is back.");
    waits = Math.min(waits * 2, MOST_MS);
  } finally {
    asks = false;
  }
  if (goes) begin(waits);
}

function begin(inMs) {
  if (timer === null && !document.hidden && parts.length) timer = setTimeout(tick, inMs);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(timer);
    timer = null;
  } else {
    begin(0);
  }
});
begin(EVERY_MS);
