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
body { margin: 0 auto; padding: 1.2rem; max-width: 74rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.3rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
a { color: var(--mark); }
.quiet, figcaption { color: var(--quiet); font-size: .9rem; }
.lead { max-width: 58rem; font-size: 1.35rem; line-height: 1.35; font-weight: 600; }
.named { border-left: .25rem solid var(--mark); padding-left: .7rem; font-weight: 600; }
.badge { border: 1px solid currentColor; border-radius: .6rem; padding: 0 .5rem; font-size: .85rem;
  white-space: nowrap; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 1rem 0; font-size: .9rem; }
code { font-size: .9em; background: var(--soft); padding: 0 .25rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem;
  position: relative; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
  border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: inherit; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.short { white-space: nowrap; }
.words { min-width: 10.5rem; }
.group th { font-weight: 600; padding-top: 1rem; }
.scroll { overflow-x: auto; }
.rows { font-size: .85rem; font-variant-numeric: tabular-nums; }
#sums .rows { max-width: 46rem; }
.rows th, .rows td { white-space: nowrap; padding-right: 1.1rem; }
tr > :last-child, .rows tr > :last-child { padding-right: 0; }
summary { cursor: pointer; color: var(--mark); white-space: nowrap; }
.list { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; font-size: .85rem; margin: .2rem 0;
  padding: .4rem .6rem; border: 1px solid var(--line); background: var(--paper); }
td .list { max-height: 20rem; overflow: auto; }
@media (min-width: 74rem) {
  .cells:has([open]) { overflow: visible; }
  td .list { position: absolute; z-index: 1; left: 0; right: 0; }
}
@media (max-width: 74rem) { td .list { flex-flow: column nowrap; white-space: nowrap; } }
:target { font-weight: 700; }
tr:has(:target) { background: var(--soft); outline: 2px solid var(--mark); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0;
  max-width: 52rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
figure { margin: .8rem 0; }
svg { display: block; width: 100%; height: auto; }
svg.bar { min-width: 6rem; max-width: 14rem; margin-top: .2rem; }
svg.chart { max-width: 22rem; }
svg.plot { height: 16rem; }
svg.panel { height: 13rem; }
svg.low { height: 12rem; max-width: 46rem; }
svg.key { display: inline-block; width: 2.4rem; height: .7rem; vertical-align: middle; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr));
  gap: .2rem 2rem; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; font-size: .9rem; max-width: none; }
svg.tall { height: 20rem; max-width: 40rem; }
svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.plot text { font-size: 12px; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.axis { stroke: var(--line); stroke-width: 1; fill: none; }
.grid { stroke: var(--line); stroke-width: 1; }
.zero { stroke: var(--ink); stroke-width: 1; }
.base { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 3 2; fill: none; }
.interval { stroke: var(--mark); stroke-width: 3; fill: none; }
.dot { fill: var(--mark); }
.ring { fill: none; stroke: var(--ink); }
.curve { stroke: var(--mark); stroke-width: 2; fill: none; }
.held { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 6 4; }
.coin { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 1.5 3.5; }
@media (max-width: 40rem) {
  body { padding: .8rem; }
  .lead { font-size: 1.2rem; }
  .mid { display: none; }
  table:not(.rows) thead { position: absolute; left: -99rem; }
  table:not(.rows), table:not(.rows) :is(tbody, tr, td, th) { display: block; width: 100%; }
  table:not(.rows) tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  table:not(.rows) [data-name] { border: 0; padding: .1rem 0; display: flex; gap: .8rem;
    justify-content: space-between; }
  table:not(.rows) [data-name]::before { content: attr(data-name); color: var(--quiet); flex: none;
    max-width: 45%; }
  table:not(.rows) .number, table:not(.rows) .short { white-space: normal; }
  table:not(.rows) .group { padding: 0; border: 0; }
  table:not(.rows) [data-name]:has([open]) { display: block; }
  table:not(.rows) [data-name]:empty { display: none; }
  .rows th, .rows td { padding-right: .7rem; }
  dl { display: block; }
  dd { margin-bottom: .4rem; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --quiet: #444; --line: #999;
    --mark: #000; --soft: #fff; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav, summary::marker { display: none; }
  h2, h3 { break-after: avoid; }
  tr, figure, dl { break-inside: avoid; }
  table { font-size: 8pt; }
  .scroll { overflow: visible; }
  #trades .rows { font-size: 6.5pt; }
  #trades .rows th, #trades .rows td { padding-right: .5rem; }
}
""".lstrip()

POLICY: Final = (
    "default-src 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    + "'"
)
"""What a browser may load for a report: this style sheet, and nothing else."""
