import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { BankLine } from './files/bank-file.ts';

/** The bank's text of a line: it may hold names and account numbers of payers. */
export type Said = Pick<BankLine, 'reference' | 'bankReference' | 'narration'>;

const column = { table: 'reconciliation.item', column: 'said_sealed', row: ['rail', 'line_digest'] } as const;

/** The columns that a rekey seals again. */
export const sealedColumns: readonly SealedColumn[] = [column];

/** Whose words they are: a line, by its digest. */
export interface LineName {
  rail: string;
  lineDigest: Buffer | null;
}

export const sealSaid = (
  keyring: Keyring,
  { rail, lineDigest }: LineName,
  { reference, bankReference, narration }: Said,
): Buffer => keyring.seal(column, [rail, lineDigest], JSON.stringify([reference, bankReference, narration]));

/** What was said of a line; nothing once it is forgotten. */
export function openSaid(
  keyring: Keyring,
  { rail, lineDigest, saidSealed }: LineName & { saidSealed: Buffer | null },
): Said {
  if (saidSealed === null) return { reference: '', bankReference: '', narration: '' };
  const opened = keyring.open(column, [rail, lineDigest], saidSealed);
  const [reference, bankReference, narration] = JSON.parse(opened) as [string, string, string];
  return { reference, bankReference, narration };
}

/** What a line is known again by in another file. */
export const lineDigest = (
  keyring: Keyring,
  { day, amount, reference, bankReference, narration }: Omit<BankLine, 'number'>,
): Buffer =>
  keyring.blindIndex('reconciliation.line', JSON.stringify([day, String(amount), reference, bankReference, narration]));
