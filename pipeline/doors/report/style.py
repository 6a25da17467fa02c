"""The style sheet of every report: one column, light and dark, phone and paper."""

import base64
import hashlib
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --quiet: #57606a; --line: #d0d7de;
  --mark: #0550ae; --soft: #f3f5f7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #12161b; --quiet: #9aa5b1;
  --line: #38414b; --mark: #79b8ff; --soft: #1c2229; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 60rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.3rem 0 .3rem; }
p { margin: .4rem 0; }
.quiet, figcaption, th { color: var(--quiet); font-size: .9rem; }
.badge { border: 1px solid currentColor; border-radius: .6rem; padding: 0 .5rem; font-size: .85rem;
  white-space: nowrap; }
code { font-size: .9em; background: var(--soft); padding: 0 .25rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.short { white-space: nowrap; }
.words { min-width: 8rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
figure { margin: .8rem 0; }
svg { display: block; width: 100%; height: auto; }
svg.bar { min-width: 6rem; max-width: 14rem; margin-top: .2rem; }
svg.chart { max-width: 22rem; }
svg.wide { max-width: 40rem; }
svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.axis { stroke: var(--line); stroke-width: 1; fill: none; }
.base { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 3 2; fill: none; }
.interval { stroke: var(--mark); stroke-width: 3; fill: none; }
.dot { fill: var(--mark); }
.ring { fill: none; stroke: var(--ink); }
.curve { stroke: var(--mark); stroke-width: 2; fill: none; }
.lead { font-size: 1.15rem; }
@media (max-width: 40rem) {
  body { padding: .8rem; }
  thead { position: absolute; left: -99rem; }
  table, tbody, tr, td { display: block; width: 100%; }
  tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  td { border: 0; padding: .1rem 0; display: flex; gap: .8rem; justify-content: space-between; }
  td::before { content: attr(data-name); color: var(--quiet); flex: none; max-width: 45%; }
  .number, .short { white-space: normal; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --quiet: #444; --line: #999;
    --mark: #000; --soft: #fff; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2, h3 { break-after: avoid; }
  tr, figure, dl { break-inside: avoid; }
}
""".lstrip()

POLICY: Final = (
    "default-src 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    + "'"
)
"""What a browser may load for a report: this style sheet, and nothing else."""
