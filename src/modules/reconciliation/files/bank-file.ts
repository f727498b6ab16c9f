import { DomainError } from '#lib/domain-error.ts';
import type { Minor } from '#lib/minor-units.ts';

export const fileFormats = ['CSV', 'CAMT.053', 'MT940'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** A movement on the account at the bank, as the bank's file tells it. */
export interface BankLine {
  /** Where it stands: the line of a text, the first one being 1; of XML that of the entry's end. */
  number: number;
  /** When the bank booked it, YYYY-MM-DD. */
  day: string;
  /** What it did to the account: what came in is above zero. Minor units. */
  amount: Minor;
  /** What it is referred to by; empty where the bank says nothing. */
  reference: string;
  /** The bank's own name for it. */
  bankReference: string;
  narration: string;
}

/** Days from one to another, YYYY-MM-DD. */
export interface Days {
  from: string;
  to: string;
}

/** What a bank's file says, and the days that it is about. */
export interface BankFile extends Days {
  /** The bank's number of the account. */
  account: string | undefined;
  /** What was on the account before the first line, and after the last; minor units. */
  opening: Minor | undefined;
  closing: Minor | undefined;
  lines: readonly BankLine[];
}

/** More lines than this are two files. */
export const LINES_MAX = 50_000;
/** A file is about days from the first to the last of these: any other was read by the wrong format. */
export const [DAY_MIN, DAY_MAX] = ['2000-01-01', '2099-12-31'];
/** As much as the lines of a file may come to, signs left aside: a half of what is exact as a number, so that differences are too. */
export const SUM_MAX = BigInt(Number.MAX_SAFE_INTEGER) / 2n;
/** The longest text of a line that is kept. */
const TEXT_MAX = 1_000;

/** A file that cannot be read. @param where `line 7, amount` */
export const unreadable = (where: string, what: string): DomainError =>
  new DomainError('BANK_FILE_UNREADABLE', `${where}: ${what}`, { errors: [`${where}: ${what}`] });

/** A file whose balances and lines contradict each other. */
export const doesNotTie = (where: string, what: string): DomainError =>
  new DomainError('BANK_FILE_DOES_NOT_TIE', `${where}: ${what}`, { errors: [`${where}: ${what}`] });

/** An amount as refusals show it. */
export const shown = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Text of a file without what cannot be stored, on one line, and no longer than is kept. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX).toWellFormed();

/** Lets others have their turn: a large file is read a piece at a time. */
export const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The first and the last day of lines, and of other days that a file is about. */
export function daysOf(lines: readonly BankLine[], others: readonly (string | undefined)[] = []): Days {
  let [from, to] = ['', ''];
  for (const day of [...others, ...lines.map((line) => line.day)]) {
    if (day === undefined) continue;
    if (from === '' || day < from) from = day;
    if (day > to) to = day;
  }
  return { from, to };
}
