import { and, count, desc, eq, inArray } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import type { ApplicationStatus } from './application-status.ts';
import type { ApplicationRow } from './store.ts';
import { application } from './tables.ts';

const registered = eq(application.builtIn, false);

/** A registered application; locked until this transaction is over, if asked for. */
export async function selectApplication(
  db: Executor,
  id: string,
  lock?: 'locked',
): Promise<ApplicationRow | undefined> {
  const query = db
    .select()
    .from(application)
    .where(and(registered, eq(application.id, id)));
  const [found] = await (lock === undefined ? query : query.for('no key update'));
  return found;
}

/** Newest first. `count` is of all with this status. */
export async function selectApplications(
  db: Executor,
  status: ApplicationStatus | undefined,
  page: { limit: number; offset: number },
): Promise<{ items: ApplicationRow[]; count: number }> {
  const matching = and(registered, status && eq(application.status, status));
  const items = await db
    .select()
    .from(application)
    .where(matching)
    .orderBy(desc(application.id))
    .limit(page.limit)
    .offset(page.offset);
  const [total] = await db.select({ count: count() }).from(application).where(matching);
  return { items, count: total?.count ?? 0 };
}

export async function moveApplication(
  tx: Tx,
  id: string,
  from: readonly ApplicationStatus[],
  to: ApplicationStatus,
): Promise<ApplicationRow | undefined> {
  const [moved] = await tx
    .update(application)
    .set({ status: to })
    .where(and(registered, eq(application.id, id), inArray(application.status, [...from])))
    .returning();
  return moved;
}

export async function setSecret(
  tx: Tx,
  id: string,
  values: Pick<ApplicationRow, 'secretDigest' | 'previousSecretDigest' | 'previousSecretUntil'>,
): Promise<void> {
  await tx.update(application).set(values).where(eq(application.id, id));
}
