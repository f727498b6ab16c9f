import { and, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { subject } from './tables.ts';

export type SubjectRow = typeof subject.$inferSelect;
type NewSubjectRow = typeof subject.$inferInsert;

/** The new subject, or undefined when its application has one with this external id. */
export async function insertSubject(db: Executor, values: NewSubjectRow): Promise<SubjectRow | undefined> {
  const [created] = await db
    .insert(subject)
    .values(values)
    .onConflictDoNothing({ target: [subject.applicationId, subject.externalId] })
    .returning();
  return created;
}

/** A subject of this application, by either of its ids; by both, when both are given. */
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

/** Changes what is shown of a subject. */
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
