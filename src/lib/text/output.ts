/** The fast path: printable ASCII in lines. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** Invisible code points by Unicode's list, except joiners and variation selectors, which spell words and emoji. */
const UNSEEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\ufffe\uffff]/gu;
const MARKS_MAX = /(\p{M}{4})\p{M}+/gu;

/**
 * Text of users, made safe for other readers of pages, files, mails and statements: without control characters (terminal escapes among
 * them), direction overrides, invisible characters, lone surrogates and piles of marks on one letter. The APIs answer the original text.
 */
export function cleaned(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(UNSEEN, '')
    .replaceAll(MARKS_MAX, '$1');
}

/** What Excel knows UTF-8 by. It stands at the beginning of a file. */
export const BYTE_ORDER_MARK = '\ufeff';

type Cell = string | number | boolean | null | undefined;

/** How a formula begins in a spreadsheet (OWASP, CSV injection), in full width and the other forms that are read alike. */
const FORMULA = new Set('=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻−');
/** Where a cell begins in some locale: where `;` or a tab parts cells, quotes within a line hold nothing together. */
const CELL_BEGINS = new Set(';\t\n');
/** What may stand before a formula. */
const BEFORE = /[\s"']/u;
/** What must stand in quotation marks (RFC 4180, 2), and what some program takes for the end of a cell. */
const SPECIAL = /[",;\t\n]|^\s|\s$/u;

/**
 * A line of a file of comma-separated values (RFC 4180). Text is cleaned ({@link cleaned}). Before text that a spreadsheet would run as
 * a formula, and before a formula where a cell begins in another locale, stands an apostrophe.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

function written(cell: Cell): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = withoutFormulas(cleaned(cell));
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormulas(text: string): string {
  let safe = '';
  let isBeginning = true;
  let isFirst = true;
  for (const character of text) {
    const isRun = isBeginning && FORMULA.has(character);
    if (isRun && isFirst) safe = `'${safe}`;
    else if (isRun) safe += "'";
    isBeginning = CELL_BEGINS.has(character) || (isBeginning && BEFORE.test(character));
    isFirst &&= isBeginning && !CELL_BEGINS.has(character);
    safe += character;
  }
  return CELL_BEGINS.has(text.charAt(0)) ? `'${safe}` : safe;
}

/** The replacement of masked text. */
const HIDDEN = '***';
/** E-mail addresses; and digits in a row as phones, BVNs and account numbers have, which are no part of an id. */
const PERSONAL = /(?<![^\s@<>"])[^\s@<>"]+@[^\s@<>"]+|(?<![\w-])\+?\d(?:[ -]?\d){9,}(?![\w-])/g;

/** `A*** O***`: enough to tell two people apart. */
export const maskName = (name: string): string => name.replaceAll(/(\S)\S*/gu, `$1${HIDDEN}`);

/** `******4321`: enough to recognise a number that one knows. */
export const maskNumber = (number: string): string =>
  number.length < 8 ? HIDDEN : `${'*'.repeat(number.length - 4)}${number.slice(-4)}`;

/** `a***@example.com`. */
export const maskEmail = (email: string): string =>
  `${email.slice(0, 1)}${HIDDEN}${email.slice(email.lastIndexOf('@'))}`;

/** Free text, which may hold personal data. */
export const maskText = (): string => HIDDEN;

/** Text of our staff, without e-mail addresses and numbers that could be a person's. */
export const maskProse = (text: string): string => text.replaceAll(PERSONAL, HIDDEN);

/** Masks each value that could identify a person; keeps the names of members. */
export function maskValues(value: unknown, mask: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return mask(value, name);
  if (typeof value === 'number') return Math.abs(value) >= 1e9 ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((item) => maskValues(item, mask, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([own, inner]) => [own, maskValues(inner, mask, own)]));
}
