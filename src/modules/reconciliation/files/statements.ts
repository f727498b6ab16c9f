import { asMinor, type Minor } from '#lib/minor-units.ts';
import { type BankFile, type BankLine, daysOf, doesNotTie, type Proof, shown, unreadable } from './bank-file.ts';

/** One of the statements of a file. */
export interface Statement {
  /** Where it begins. */
  line: number;
  account: string | undefined;
  /** The bank's number of it. */
  number: string | undefined;
  opening: Minor | undefined;
  closing: Minor | undefined;
  /** Days that it says it is about. */
  days: string[];
  lines: BankLine[];
  /** Whether what it says of the sums of its lines proves them. */
  isTotalled?: boolean;
}

/** @param line where it begins */
export const newStatement = (line: number): Statement => ({
  line,
  account: undefined,
  number: undefined,
  opening: undefined,
  closing: undefined,
  days: [],
  lines: [],
});

/**
 * Statements of one account, each after the other, as one: each ties, and opens with what the one before closed with. Each line gets
 * what was on the account after it.
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
    let balance = BigInt(opening);
    for (const line of lines) {
      balance += line.amount;
      line.balance = asMinor(balance);
      line.statement = statement.number;
    }
    if (balance !== closing) {
      const moved = balance - opening;
      const sums = `${shown(opening)} and ${lines.length} lines of ${shown(moved)} come to ${shown(balance)}`;
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
  const isTotalled = statements.every((one) => one.isTotalled === true);
  const provedBy: Proof[] = isTotalled ? ['OPENING_AND_CLOSING', 'TOTALS'] : ['OPENING_AND_CLOSING'];
  return { account, opening: first?.opening, closing: last?.closing, lines, provedBy, ...days };
}
