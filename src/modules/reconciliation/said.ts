import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { BankLine } from './files/bank-file.ts';

/** What a bank says of a line in its own words: names and account numbers of whoever paid may stand in it. */
export type Said = Pick<BankLine, 'reference' | 'bankReference' | 'narration'>;

const purposes = { said: 'reconciliation.said', line: 'reconciliation.line' } as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'reconciliation.item', column: 'said_sealed', purpose: purposes.said },
];

export const sealSaid = (keyring: Keyring, { reference, bankReference, narration }: Said): Buffer =>
  keyring.seal(purposes.said, JSON.stringify([reference, bankReference, narration]));

/** What was said of a line; nothing once it is forgotten. */
export function openSaid(keyring: Keyring, sealed: Buffer | null): Said {
  if (sealed === null) return { reference: '', bankReference: '', narration: '' };
  const [reference, bankReference, narration] = JSON.parse(keyring.open(purposes.said, sealed)) as [
    string,
    string,
    string,
  ];
  return { reference, bankReference, narration };
}

/** What a line is known again by in another file. */
export const lineDigest = (
  keyring: Keyring,
  { day, amount, reference, bankReference, narration }: Omit<BankLine, 'number'>,
): Buffer =>
  keyring.blindIndex(purposes.line, JSON.stringify([day, String(amount), reference, bankReference, narration]));
