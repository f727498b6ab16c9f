import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { isProved } from './files/bank-file.ts';
import type { ItemStatus } from './item-status.ts';
import { findImport, type ImportRow } from './store.ts';
import { linesByStatus, onOtherDays, postingsOfDays } from './summary-store.ts';

/**
 * Why the bank and our books say something different: what became of a line or a posting; or that its other side is of another
 * day or file; or that the posting was made after the file was read.
 */
export type Difference = Exclude<ItemStatus, 'MATCHED' | 'REPEATED'> | 'OTHER_DAYS' | 'NOT_COMPARED';

/** How a bank's file compares with our books, minor units: what came in is above zero. */
export interface Summary {
  /** What came in and left by the lines that no earlier file has. */
  bank: bigint;
  /** The same by our postings of the file's days. */
  ours: bigint;
  difference: bigint;
  /** What the difference is made of. */
  differences: { of: Difference; count: number; amount: bigint }[];
  matched: number;
  repeated: number;
  /** Whether the lines are proved, and come to what they are proved by, and the differences to the difference. */
  ties: boolean;
}

export interface ImportView extends ImportRow {
  summary: Summary;
}

/** A file that was imported. @throws DomainError IMPORT_NOT_FOUND */
export async function getImport({ db }: { db: Database }, id: string): Promise<ImportView> {
  const found = await findImport(db, id);
  if (found === undefined) throw new DomainError('IMPORT_NOT_FOUND', 'there is no such import');
  return viewOfImport(db, found);
}

/** An import with how it compares with our books now. */
export async function viewOfImport(db: Database, row: ImportRow): Promise<ImportView> {
  const [lines, postings, others] = await Promise.all([
    linesByStatus(db, row.id),
    postingsOfDays(db, row),
    onOtherDays(db, row),
  ]);
  const differences = new Map<Difference, { count: number; amount: bigint }>();
  const add = (of: Difference, count: number, amount: bigint): void => {
    const so = differences.get(of) ?? { count: 0, amount: 0n };
    if (count > 0) differences.set(of, { count: so.count + count, amount: so.amount + amount });
  };
  let [bank, stored, ours, matched, repeated] = [0n, 0n, 0n, 0, 0];
  for (const { status, count, theirs, difference } of lines) {
    stored += theirs;
    if (status === 'REPEATED') repeated = count;
    else bank += theirs;
    if (status === 'MATCHED') matched = count;
    else if (status !== 'REPEATED') add(status, count, difference);
  }
  for (const { of, count, amount } of postings) {
    ours += amount;
    if (of === 'ELSEWHERE') add('OTHER_DAYS', count, -amount);
    else if (of !== 'HERE') add(of, count, -amount);
  }
  add('OTHER_DAYS', others.count, others.amount);
  const listed = [...differences].map(([of, so]) => ({ of, ...so }));
  const explained = listed.reduce((sum, { amount }) => sum + amount, 0n);
  const { opening, closing, credits, debits, provedBy } = row;
  const isWhole =
    isProved(provedBy) && stored === credits + debits && (opening === null || opening + stored === closing);
  const ties = isWhole && explained === bank - ours;
  const summary = { bank, ours, difference: bank - ours, differences: listed, matched, repeated, ties };
  return { ...row, summary };
}
