import type { BrandColours } from '#lib/brand.ts';

/** The style of a statement on a screen and on paper. */
export const styleOf = ({ accent, dark }: BrandColours): string => `
:root { color-scheme: light; --ink: #16202e; --muted: #5f6b7a; --rule: #d8dee6; --band: #f1f5f4; --accent: ${accent}; --paper: #fff; --desk: #e9eded; --focus: #1a56c4; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ink: #e8edf2; --muted: #a9b4c0; --rule: #36424f; --band: #202a35; --accent: ${dark.accent}; --paper: #18202a; --desk: #10161d; --focus: #8ab4f8; }
  .brand img { padding: 6px 8px; border-radius: 4px; background: #fff; }
}
* { box-sizing: border-box; margin: 0; }
body { font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--desk); }
main { max-width: 1040px; margin: 24px auto; padding: 40px; background: var(--paper); }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 24px; padding-bottom: 14px; border-bottom: 2px solid var(--accent); }
header div { text-align: right; }
header p { color: var(--muted); }
header .brand, .tag, a { color: var(--accent); }
.holder p:not(.tag) { color: var(--muted); }
.test { margin-bottom: 16px; padding: 8px 14px; font-weight: 600; color: #16202e; background: #ffe08a; }
.brand { font-size: 26px; line-height: 1.1; font-weight: 700; letter-spacing: -.02em; }
.brand img { display: block; width: auto; height: auto; max-width: 220px; max-height: 48px; }
h1 { font-size: 19px; line-height: 1.3; }
h2 { font-size: 18px; overflow-wrap: anywhere; }
.holder { padding: 18px 0 14px; }
.facts { display: grid; grid-template-columns: repeat(2, 1fr); gap: 12px 24px; padding-bottom: 20px; }
.totals { display: flex; flex-wrap: wrap; gap: 12px 24px; padding: 16px 18px; margin-bottom: 24px; background: var(--band); }
.totals div { flex: 1 0 auto; }
dt { font-size: 12px; color: var(--muted); }
dd { overflow-wrap: anywhere; }
.totals dd { font-size: 17px; font-weight: 700; font-variant-numeric: tabular-nums; overflow-wrap: normal; white-space: nowrap; }
.totals div:last-child dd { color: var(--accent); }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
th { text-align: left; font-weight: 600; }
thead th { font-size: 12px; color: var(--muted); background: var(--band); white-space: nowrap; }
td, th { padding: 7px 8px; border-bottom: 1px solid var(--rule); vertical-align: top; }
td small { display: block; color: var(--muted); font-size: 12px; overflow-wrap: anywhere; }
td:nth-child(2):not(.amount) { min-width: 170px; overflow-wrap: anywhere; }
.whose { display: none; }
time { white-space: nowrap; }
.amount { width: 1%; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.reference { width: 160px; min-width: 160px; font-size: 11.5px; color: var(--muted); overflow-wrap: anywhere; }
.balance th, .balance td { font-weight: 700; }
.none { color: var(--muted); }
.verify { display: flex; align-items: center; gap: 20px; margin-top: 28px; padding: 16px 18px; border: 1px solid var(--rule); break-inside: avoid; }
.verify svg { flex: none; background: #fff; }
.verify h2 { font-size: 15px; }
.verify p { margin-top: 4px; overflow-wrap: anywhere; }
.code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; white-space: nowrap; }
footer { padding-top: 18px; font-size: 12px; color: var(--muted); }
@media screen and (max-width: 760px) {
  body { background: var(--paper); }
  main { margin: 0; padding: 20px; }
  .totals div { min-width: 120px; }
  .verify { flex-direction: column; align-items: flex-start; }
  .scroll { overflow: visible; }
  table, tbody { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; padding: 10px 0; border-bottom: 1px solid var(--rule); }
  tbody tr > * { padding: 0; border: 0; }
  tr :is(td, th):nth-child(-n+3) { grid-column: 1; width: auto; min-width: 0; }
  time small { display: inline; margin-left: 8px; }
  .amount { grid-column: 2; width: auto; font-size: 14px; }
  .amount:empty, .balance td:not(:last-child) { display: none; }
  .amount:nth-child(4), .amount:nth-child(5), .balance .amount { grid-row: 1; font-weight: 600; }
  .amount:nth-child(6) { grid-row: 2; }
  .amount::before { margin-right: 6px; font-size: 12px; font-weight: 400; color: var(--muted); }
  tr:not(.balance) .amount:nth-child(4)::before { content: "Debit"; }
  tr:not(.balance) .amount:nth-child(5)::before { content: "Credit"; }
  tr:not(.balance) .amount:nth-child(6)::before { content: "Balance"; }
}
@page { size: A4; margin: 14mm 12mm 16mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt sans-serif; color: #5f6b7a; } }
@media print {
  body { background: none; font-size: 9.5pt; }
  main { max-width: none; margin: 0; padding: 0; }
  .scroll { overflow: visible; }
  .whose { display: table-row; }
  .whose th { background: none; font-weight: 400; text-align: right; overflow-wrap: anywhere; white-space: normal; }
  td:nth-child(2):not(.amount) { min-width: 110pt; }
  table { font-size: 8pt; }
  thead th, td small { font-size: 7.5pt; }
  .totals dd { font-size: 10.5pt; }
  .reference { width: 92pt; min-width: 92pt; font-size: 7pt; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  thead th, .totals, .test { print-color-adjust: exact; }
  .test::after { content: "TEST"; position: fixed; top: 34%; left: 8%; font-size: 150pt; font-weight: 700; letter-spacing: .1em; color: #b3261e; opacity: .12; transform: rotate(-30deg); }
  .verify svg { width: 72pt; height: 72pt; }
  .verify h2 { font-size: 10pt; }
}
`;
