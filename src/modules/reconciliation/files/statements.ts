import type { Minor } from '#lib/minor-units.ts';
import { type BankFile, type BankLine, daysOf, doesNotTie, shown, unreadable } from './bank-file.ts';

/** One of the statements of a file. */
export interface Statement {
  /** Where it begins. */
  line: number;
  account: string | undefined;
  opening: Minor | undefined;
  closing: Minor | undefined;
  /** Days that it says it is about. */
  days: string[];
  lines: BankLine[];
}

/** @param line where it begins */
export const newStatement = (line: number): Statement => ({
  line,
  account: undefined,
  opening: undefined,
  closing: undefined,
  days: [],
  lines: [],
});

/**
 * Statements of one account, each after the other, as one: each ties, and opens with what the one before closed with.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export function chained(statements: readonly Statement[]): BankFile {
  let before: Minor | undefined;
  const account = statements[0]?.account;
  for (const [at, statement] of statements.entries()) {
    const where = statements.length === 1 ? `line ${statement.line}` : `line ${statement.line}, statement ${at + 1}`;
    const { opening, closing, lines } = statement;
    if (opening === undefined) throw unreadable(where, 'the statement has no opening balance');
    if (closing === undefined) throw unreadable(where, 'the statement has no closing balance');
    if (statement.account !== account) throw unreadable(where, 'the file is about more than one account');
    if (before !== undefined && before !== opening) {
      throw doesNotTie(
        `${where}, opening balance`,
        `${shown(opening)}, and the statement before closes with ${shown(before)}`,
      );
    }
    const moved = lines.reduce((sum, { amount }) => sum + amount, 0n);
    if (opening + moved !== closing) {
      const sums = `${shown(opening)} and ${lines.length} lines of ${shown(moved)} come to ${shown(opening + moved)}`;
      throw doesNotTie(`${where}, closing balance`, `${sums}, not ${shown(closing)}`);
    }
    before = closing;
  }
  const [first, last] = [statements[0], statements.at(-1)];
  const lines = statements.flatMap((one) => one.lines);
  const days = daysOf(
    lines,
    statements.flatMap((one) => one.days),
  );
  if (days.from === '') throw unreadable('line 1', 'the file says nothing of the days that it is about');
  return { account, opening: first?.opening, closing: last?.closing, lines, ...days };
}
