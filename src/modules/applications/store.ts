import { and, eq } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Executor, Tx } from '../../lib/database.ts';
import { application, subject } from './tables.ts';

export type ApplicationRow = typeof application.$inferSelect;
export type SubjectRow = typeof subject.$inferSelect;

/** The new application, or undefined when the namespace is taken. */
export async function insertApplication(
  tx: Tx,
  values: typeof application.$inferInsert,
): Promise<ApplicationRow | undefined> {
  const [created] = await tx
    .insert(application)
    .values(values)
    .onConflictDoNothing({ target: application.namespace })
    .returning();
  return created;
}

export async function selectByClientId(db: Executor, clientId: string): Promise<ApplicationRow | undefined> {
  const [found] = await db.select().from(application).where(eq(application.clientId, clientId));
  return found;
}

const CALLER = 'select id, name, namespace, status from applications.application where id = $1';

/** An application by its id. Prepared: every call with its token asks for it. */
export async function selectCaller(
  pool: Pool,
  id: string,
): Promise<Pick<ApplicationRow, 'id' | 'name' | 'namespace' | 'status'> | undefined> {
  const { rows } = await pool.query({ name: 'application-caller', text: CALLER, values: [id] });
  return rows[0];
}

export async function insertSubject(tx: Tx, values: typeof subject.$inferInsert): Promise<SubjectRow> {
  const [created] = await tx.insert(subject).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

export async function updateSubject(
  tx: Tx,
  { applicationId, externalId }: { applicationId: string; externalId: string },
  values: Partial<Pick<SubjectRow, 'displayName' | 'imageUrl'>>,
): Promise<void> {
  await tx
    .update(subject)
    .set(values)
    .where(and(eq(subject.applicationId, applicationId), eq(subject.externalId, externalId)));
}
