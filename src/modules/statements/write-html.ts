import { type Brand, brandMark, supportText } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { escapeHtml } from '#lib/html.ts';
import { qrPath } from '#lib/qr-code.ts';
import { testMark } from './facts.ts';
import { amount, currencyNames, day, isoMoment, momentText, periodText, symbols, time } from './format.ts';
import { styleOf } from './html-style.ts';
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

/** How whoever is shown the statement finds out whether it is ours, and unaltered. */
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
