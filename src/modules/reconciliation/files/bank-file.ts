import { DomainError } from '#lib/domain-error.ts';
import type { Minor } from '#lib/minor-units.ts';
import { normalizedReference } from '#lib/text/parse.ts';

export const fileFormats = ['CSV', 'CAMT.053', 'MT940'] as const;
export type FileFormat = (typeof fileFormats)[number];

/**
 * What says that the lines of a file are right. OPENING_AND_CLOSING: they come from the one balance to the other. TOTALS: they come
 * to the totals that the file says. BALANCES: each line's balance follows from the one before. EARLIER_BALANCE: and
 * the first of these is what an earlier file knows. CONFIRMATION: an operator has seen count and totals at the bank.
 */
export const proofs = ['OPENING_AND_CLOSING', 'TOTALS', 'BALANCES', 'EARLIER_BALANCE', 'CONFIRMATION'] as const;
export type Proof = (typeof proofs)[number];

/** Whether that proves all lines of a file. Balances alone say nothing of the first one. */
export const isProved = (provedBy: readonly Proof[]): boolean => provedBy.some((proof) => proof !== 'BALANCES');

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
  /** What was on the account after it, where the file tells. Minor units. */
  balance?: Minor | undefined;
  /** The bank's number of the statement that it stands in. */
  statement?: string | undefined;
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
  /** Whether these are of one order of the lines, and those of another fit as well: an earlier file tells which. */
  isGuessed?: boolean;
  lines: readonly BankLine[];
  /** What in the file itself proves its lines. */
  provedBy: readonly Proof[];
}

/** More lines than this are two files. */
export const LINES_MAX = 50_000;
/** A file is about days from the first to the last of these: any other was read by the wrong format. */
export const [DAY_MIN, DAY_MAX] = ['2000-01-01', '2099-12-31'];
/** The most that the lines of a file may sum to, without signs: half of what a number holds exactly, so that differences are exact too. */
export const SUM_MAX = BigInt(Number.MAX_SAFE_INTEGER) / 2n;
/** The longest text of a line that is kept. */
export const TEXT_MAX = 1_000;
/** As long as a reference of a bank is. */
const REFERENCE_MAX = 200;

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

/** Text of a file without what cannot be stored, on one line. What is longer than is kept ends with an ellipsis. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return (line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX - 1)}…` : line).toWellFormed();
}

/** What banks write where there is no reference, where it stands in the narration, or what the place is called; letters and digits of it. */
const NO_REFERENCES = new Set(
  `NA NIL NULL NONE NON NO NONREF NOREF NOREFERENCE NOTAVAILABLE NOTAPPLICABLE NOTPROVIDED NOTSPECIFIED NOTGIVEN
    NOTKNOWN NOTSET UNKNOWN UNSPECIFIED UNDEFINED EMPTY BLANK REFNOTPROVIDED REFERENCENOTPROVIDED NOREFERENCEPROVIDED EREF KREF MREF MARF PREF
    REF REFNO REFNUMBER REFERENCE REFERENCENO REFERENCENUMBER REFERENCEID YOURREF YOURREFERENCE OURREF OURREFERENCE BANKREF BANKREFERENCE
    PAYMENTREF PAYMENTREFERENCE TRANSACTIONREF TRANSACTIONREFERENCE TRANSACTIONID TRANREF TXNREF TRNREF TXID TXREF INSTRID INSTRUCTIONID ENDTOEND
    ENDTOENDID ENDTOENDREFERENCE E2E E2EID E2EREF ACCTSVCRREF PMTINFID MSGID NTRYREF SESSIONID`.split(/\s+/),
);

/** Whether what stands in the place of a reference says that there is none: `N/A`, `NOT PROVIDED`, zeros. */
export function isPlaceholder(reference: string): boolean {
  const name = normalizedReference(reference);
  return name === '' || /^(?:0+|X+)$/.test(name) || NO_REFERENCES.has(name);
}

/** A reference of a line, on one line; empty where there is none. @throws DomainError BANK_FILE_UNREADABLE for one that is too long to be one */
export function referenceOf(text: string, where: string): string {
  const reference = text.length > TEXT_MAX * 2 ? text : oneLine(text);
  if (reference.length > REFERENCE_MAX) throw unreadable(where, `longer than ${REFERENCE_MAX} characters`);
  return isPlaceholder(reference) ? '' : reference;
}

/** Lets others have their turn: a large file is read a piece at a time. */
export const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The rows of a text and their numbers, from 1: CR, LF and both together end one, in the same file too. */
export function* rowsOf(text: string): Generator<[number: number, row: string]> {
  const end = /\r\n|\n|\r/g;
  let from = 0;
  for (let number = 1; ; number += 1) {
    const found = end.exec(text);
    yield [number, text.slice(from, found?.index)];
    if (found === null) return;
    from = end.lastIndex;
  }
}

/** What came in by lines, and what left, which is below zero. */
export function sumsOf(lines: readonly BankLine[]): { credits: bigint; debits: bigint } {
  let [credits, debits] = [0n, 0n];
  for (const { amount } of lines) {
    if (amount > 0n) credits += amount;
    else debits += amount;
  }
  return { credits, debits };
}

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
