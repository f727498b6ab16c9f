import { and, asc, gt, gte, isNotNull, sql } from '#drizzle';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Executor } from '#lib/database.ts';
import { type Authenticate, factsOf } from './posting-mac.ts';
import { transaction } from './tables.ts';

/** Transactions that are read at once, which bounds the memory that the check of any number of them takes. */
const PAGE = 2_000;

type Row = typeof transaction.$inferSelect;

/** A transaction that no operation of ours made, or whose facts were changed since. */
export interface UnauthenticatedPosting {
  id: number;
  owner: string;
  reference: string;
}

/**
 * Finds transactions whose MAC does not vouch for them. Those that were posted before there were MACs have none; a later one
 * without is found too. Metadata and times are not among the facts: the seals hold those.
 *
 * @param since only those created at or after this moment; absent: all
 */
export async function* unauthenticatedPostings(
  db: Executor,
  authenticate: Authenticate,
  since?: Date,
): AsyncGenerator<UnauthenticatedPosting> {
  const [first] = await db
    .select({ id: sql<string>`min(${transaction.id})` })
    .from(transaction)
    .where(isNotNull(transaction.mac));
  const authenticatedFrom = Number(first?.id ?? 0);
  for (let last = 0; ; ) {
    const page = await db
      .select()
      .from(transaction)
      .where(and(gt(transaction.id, last), since && gte(transaction.createdAt, since)))
      .orderBy(asc(transaction.id))
      .limit(PAGE);
    for (const row of page) {
      const isVouchedFor = row.mac === null ? row.id < authenticatedFrom : vouchesFor(row.mac, row, authenticate);
      if (!isVouchedFor) yield { id: row.id, owner: row.ownerId, reference: row.reference };
    }
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

function vouchesFor(mac: Buffer, row: Row, authenticate: Authenticate): boolean {
  const { ownerId, partnerId, requestHash, sourceId, destinationId, originalId, ...rest } = row;
  const hash = requestHash.toString('hex');
  const names = { owner: ownerId, partner: partnerId, requestHash: hash };
  const facts = { ...rest, ...names, source: sourceId, destination: destinationId, original: originalId };
  if (equalDigests(mac, authenticate(factsOf(facts)))) return true;
  return originalId !== null && equalDigests(mac, authenticate(factsOf({ ...facts, refundsRemainder: true })));
}
