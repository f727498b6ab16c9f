import { cleaned } from './others-text.ts';

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
