import type { Executor } from '#lib/database.ts';
import { selectTold } from './told-store.ts';

/** A delivery, with the exact body it brings and where its receiver is now; without a URL, null. */
export type ToldDelivery = Awaited<ReturnType<typeof selectTold>>[number];

/**
 * What was told to an owner under these references by events of these names, delivered or not, resends too, the first
 * one first: one query, however many references. Of two things with one reference the bodies tell which is which.
 */
export async function deliveriesTold(
  db: Executor,
  asked: { ownerId: string; references: readonly string[]; events: readonly string[] },
): Promise<ToldDelivery[]> {
  return asked.references.length === 0 ? [] : selectTold(db, asked);
}
