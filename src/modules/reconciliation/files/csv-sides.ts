import { pause, unreadable } from './bank-file.ts';
import type { Row } from './csv-rows.ts';

/** Whether money came in or left. */
export type Side = 'C' | 'D';

/** What the rows of a file say of the direction of their amounts, in columns that hold no amount. */
export interface Sides {
  /** What a row is called; undefined where nothing is said. @throws DomainError BANK_FILE_UNREADABLE where it is called both, or neither */
  of(row: Row): Side | undefined;
  /** Whether a row is called nothing where others are. */
  isLeftOut(row: Row): boolean;
  /** What a row is called in a column that says other things too: it may not contradict what was read, and says nothing by itself. */
  hintOf(row: Row): Side | undefined;
}

/** Letters of a header that name such a column, whatever its rows hold. */
const NAMES =
  /^(?:dc|cd|drcr|crdr|dbcr|crdb|debitcredit|creditdebit|debitorcredit|creditordebit)(?:indicator|ind|flag|mark|sign|type|code)?$/;
/** And of a column of signs. */
const SIGNS = new Set(['sign', '+/-', '-/+']);
const HYPHEN = /^[-–−]$/;
const WORDS: Readonly<Record<Side, RegExp>> = {
  C: /^(?:C|CR|CRED|CRDT|CREDITS?|CREDITED|DEPOSITS?|LODGE?MENTS?|INFLOW|IN|INCOMING|(?:MONEY|PAID) IN)\.?$/i,
  D: /^(?:D|DR|DB|DEB|DBIT|DEBITS?|DEBITED|WITHDRAWALS?|OUTFLOW|OUT|OUTGOING|(?:MONEY|PAID) OUT)\.?$/i,
};
/** A longer text is none of these. */
const WORD_MAX = 14;
const AT_ONCE = 500;

function sideOf(cell: string): Side | undefined {
  const word = cell.length > WORD_MAX * 2 ? '' : cell.trim();
  if (word === '' || word.length > WORD_MAX) return undefined;
  return WORDS.C.test(word) ? 'C' : WORDS.D.test(word) ? 'D' : undefined;
}

/**
 * Finds the columns that say the direction: those that the header names so, and those in which every row says nothing else. A column
 * that the mapping names for something is none.
 *
 * @param mapped the columns that the mapping names
 * @param lines the rows of the account
 */
export async function sidesIn(
  header: Row | undefined,
  mapped: ReadonlySet<number | undefined>,
  lines: readonly Row[],
): Promise<Sides> {
  const nameOf = (at: number): string => (header?.fields[at] ?? '').trim().slice(0, 40).toLowerCase();
  const isNamed = (at: number): boolean => NAMES.test(nameOf(at).replaceAll(/[^a-z]/g, ''));
  const width = (header ?? lines[0])?.fields.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => ({ at, sides: 0, others: 0, pluses: 0, hyphens: 0 }));
  const free = columns.filter(({ at }) => !mapped.has(at));
  for (const [place, { fields }] of lines.entries()) {
    if (place % AT_ONCE === 0) await pause();
    for (const column of free) {
      const cell = (fields[column.at] ?? '').trim();
      if (cell === '') continue;
      if (HYPHEN.test(cell)) column.hyphens += 1;
      else if (cell === '+') column.pluses += 1;
      else if (sideOf(cell) === undefined) column.others += 1;
      else column.sides += 1;
    }
  }
  // A hyphen alone says that there is nothing, but in a column of signs.
  const signs = new Set(free.filter(({ at, pluses }) => pluses > 0 || SIGNS.has(nameOf(at))).map(({ at }) => at));
  const isSide = (at: number): boolean => {
    const { sides, others, pluses, hyphens } = columns[at] ?? { sides: 0, others: 1, pluses: 0, hyphens: 0 };
    return others === 0 && sides + pluses + (signs.has(at) ? hyphens : 0) > 0;
  };
  const said = free.map(({ at }) => at).filter((at) => isNamed(at) || isSide(at));
  const heard = said.filter((at) => (columns[at]?.sides ?? 0) + (columns[at]?.pluses ?? 0) > 0 || signs.has(at));
  const isSaid = (cell: string, at: number): boolean => cell !== '' && (!HYPHEN.test(cell) || signs.has(at));
  const hints = free.filter(({ at, sides }) => sides > 0 && !said.includes(at)).map(({ at }) => at);
  return {
    of({ number, fields }) {
      let side: Side | undefined;
      for (const at of said) {
        const cell = (fields[at] ?? '').trim();
        if (!isSaid(cell, at)) continue;
        const called = HYPHEN.test(cell) ? 'D' : cell === '+' ? 'C' : sideOf(cell);
        if (called === undefined) throw unreadable(`line ${number}`, `neither debit nor credit: ${cell.slice(0, 20)}`);
        if (side !== undefined && side !== called) throw unreadable(`line ${number}`, 'called a credit and a debit');
        side = called;
      }
      return side;
    },
    isLeftOut: ({ fields }) => heard.length > 0 && heard.every((at) => !isSaid((fields[at] ?? '').trim(), at)),
    hintOf({ fields }) {
      // One letter, or a short word of another meaning, may stand for anything there.
      const called = hints.map((at) =>
        /^(?:[CD]R|CREDIT|DEBIT)$/i.test(fields[at] ?? '') ? sideOf(fields[at] ?? '') : undefined,
      );
      return called.find((one) => one !== undefined);
    },
  };
}

/** Letters of a header that name a column of currencies. */
const CURRENCY_NAMES =
  /^(?:account|acct|amount|transaction|trans|tran|trx|txn)?(?:currency|currencies|curr|cur|ccy)(?:code|type)?$/;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/**
 * The column that says the currency of the amounts: one that the header names so, or in which every row says one and nothing else.
 *
 * @param mapped the columns that the mapping names
 * @param lines the rows of the account
 */
export async function currencyIn(
  header: Row | undefined,
  mapped: ReadonlySet<number | undefined>,
  lines: readonly Row[],
): Promise<number | undefined> {
  const named = header?.fields.findIndex((name) =>
    CURRENCY_NAMES.test(
      name
        .slice(0, 40)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, ''),
    ),
  );
  if (named !== undefined && named >= 0) return named;
  const width = (header ?? lines[0])?.fields.length ?? 0;
  let columns = Array.from({ length: width }, (_, at) => at).filter((at) => !mapped.has(at));
  const found = new Set<number>();
  for (const [place, { fields }] of lines.entries()) {
    if (place % AT_ONCE === 0) await pause();
    columns = columns.filter((at) => {
      const cell = (fields[at] ?? '').trim();
      if (cell === '') return true;
      if (!CURRENCIES.has(cell)) return false;
      found.add(at);
      return true;
    });
  }
  return columns.find((at) => found.has(at));
}
