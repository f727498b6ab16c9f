import { type Brand, type BrandColours, brandMark, supportText } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { escapeHtml } from '#lib/html.ts';
import { qrPath } from '#lib/qr-code.ts';
import {
  amount,
  currencyNames,
  day,
  isoMoment,
  momentText,
  periodText,
  symbols,
  testMark,
  time,
} from './display-text.ts';
import type { Line, Statement } from './statement.ts';

/** The page may use the style and the logo that are in it; nothing is loaded or run. */
export const htmlPolicy = ({ brand: { logo, colours } }: Statement): string =>
  [
    "default-src 'none'",
    ...(logo === undefined ? [] : ['img-src data:']),
    `style-src 'sha256-${sha256(styleOf(colours)).toString('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A statement as a page that prints well. It has no script and loads nothing. */
export async function* writeHtml(statement: Statement): AsyncGenerator<string> {
  yield head(statement);
  yield balanceRow('Opening balance', statement.opening);
  for await (const lines of statement.pages) yield lines.map(row).join('');
  if (statement.count === 0)
    yield '<tr><td colspan="6" class="none">There were no transactions in this period.</td></tr>\n';
  yield foot(statement);
}

function head(statement: Statement): string {
  const { brand, holder, paytag, address, nuban, partner, currency, issuedAt } = statement;
  const { opening, credits, debits, closing } = statement;
  const period = escapeHtml(periodText(statement));
  const symbol = symbols[currency];
  const facts = [
    ['Account number', nuban],
    ['Held with', partner],
    ['Currency', currencyNames[currency]],
    ['Issued', momentText(issuedAt)],
  ] as const;
  const totals = [
    ['Opening balance', opening],
    ['Total credits', credits],
    ['Total debits', debits],
    ['Closing balance', closing],
  ] as const;
  const definition = (name: string, value: string) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`;
  const test = testMark(statement);
  return `<!doctype html>
<html lang="en-NG">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>Statement of account ${nuban}, ${period}</title>
<style>${styleOf(brand.colours)}</style>
</head>
<body>
<main>${test === undefined ? '' : `\n<p class="test">${test}</p>`}
<header><p class="brand">${brandMark(brand).text}</p><div><h1>Statement of account</h1><p>${period}</p></div></header>
<section class="holder"><h2>${escapeHtml(holder)}</h2>${paytag === undefined ? '' : `<p class="tag">@${escapeHtml(paytag)}</p>`}${address === undefined ? '' : `<p>${escapeHtml(address)}</p>`}</section>
<dl class="facts">${facts.map(([name, value]) => definition(name, value)).join('')}</dl>
<dl class="totals">${totals.map(([name, value]) => definition(name, symbol + amount(value))).join('')}</dl>
<div class="scroll" role="region" aria-label="Transactions" tabindex="0"><table>
<thead><tr class="whose"><th colspan="6">${escapeHtml(`${nuban} · ${periodText(statement)} · ${holder}`)}</th></tr>
<tr><th scope="col">Date</th><th scope="col">Description</th><th scope="col">Reference</th><th scope="col" class="amount">Debit (${symbol.trim()})</th><th scope="col" class="amount">Credit (${symbol.trim()})</th><th scope="col" class="amount">Balance (${symbol.trim()})</th></tr></thead>
<tbody>
`;
}

const cell = (value: bigint | undefined): string =>
  `<td class="amount">${value === undefined ? '' : amount(value)}</td>`;

const balanceRow = (name: string, balance: bigint, debits?: bigint, credits?: bigint): string =>
  `<tr class="balance"><th scope="row" colspan="3">${name}</th>${cell(debits)}${cell(credits)}${cell(balance)}</tr>\n`;

function row({ at, description, comment, reference, debit, credit, fee, balance }: Line): string {
  const notes = [fee > 0n ? `incl. fee ${amount(fee)}` : undefined, comment].filter((note) => note !== undefined);
  const note = notes.length === 0 ? '' : `<small dir="auto">${escapeHtml(notes.join(' · '))}</small>`;
  const when = `<time datetime="${isoMoment(at)}">${day(at)}<small>${time(at)}</small></time>`;
  const words = `<td>${when}</td><td>${escapeHtml(description)}${note}</td><td class="reference">${escapeHtml(reference)}</td>`;
  return `<tr>${words}${cell(debit)}${cell(credit)}${cell(balance)}</tr>\n`;
}

/** Who the institution is, and where to ask. */
function imprint(brand: Brand): string {
  const help = supportText(brand);
  const lines = [
    [brand.name, brand.address, brand.licence].filter((part) => part !== undefined).join(' · '),
    ...(help === undefined ? [] : [`Questions about this statement: ${help}`]),
  ];
  return lines.map((line) => `\n<p>${escapeHtml(line)}</p>`).join('');
}

/** How a reader verifies that the statement is ours, and unaltered. */
function verification({ code, verifyAt, verifyUrl }: Statement): string {
  const { viewBox, path } = qrPath(verifyUrl);
  return `<section class="verify"><svg role="img" aria-label="QR code that opens the verification" viewBox="${viewBox}" width="112" height="112" shape-rendering="crispEdges"><path d="${path}"/></svg>
<div><h2>Is this statement ours?</h2>
<p>Scan the code, or enter <strong class="code">${code}</strong> at <a href="${escapeHtml(verifyUrl)}">${escapeHtml(verifyAt)}</a>. What is shown there must be what stands here.</p></div></section>`;
}

const foot = (
  statement: Statement,
): string => `${balanceRow('Closing balance', statement.closing, statement.debits, statement.credits)}</tbody>
</table></div>
${verification(statement)}
<footer><p>Times are West Africa Time (UTC+1). Debits and credits have their fees in them.</p>
<p>Made electronically from the books of ${escapeHtml(statement.brand.name)} on ${day(statement.issuedAt)} at ${time(statement.issuedAt)}; it needs no signature.</p>${imprint(statement.brand)}</footer>
</main>
</body>
</html>
`;

/** The style of a statement on a screen and on paper. */
const styleOf = ({ accent, dark }: BrandColours): string => `
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
