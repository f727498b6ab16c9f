import type { Pool } from 'pg';
import { and, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
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

/** The new subject, or undefined when its application knows one by that name. */
export async function insertNewSubject(
  db: Executor,
  values: typeof subject.$inferInsert,
): Promise<SubjectRow | undefined> {
  const [created] = await db
    .insert(subject)
    .values(values)
    .onConflictDoNothing({ target: [subject.applicationId, subject.externalId] })
    .returning();
  return created;
}

/** A subject of this application, by whichever of its two names is given; by both, when both are. */
export async function selectSubject(
  db: Executor,
  applicationId: string,
  { subjectId, externalId }: { subjectId?: string | undefined; externalId?: string | undefined },
): Promise<SubjectRow | undefined> {
  const [found] = await db
    .select()
    .from(subject)
    .where(
      and(
        eq(subject.applicationId, applicationId),
        subjectId === undefined ? undefined : eq(subject.id, subjectId),
        externalId === undefined ? undefined : eq(subject.externalId, externalId),
      ),
    )
    .limit(1);
  return found;
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
