import type { Tx } from '#lib/database.ts';
import { insertSubject, type SubjectRow, updateSubject } from './store.ts';

/** Somebody, by the name her application has for her. */
interface SubjectName {
  applicationId: string;
  externalId: string;
}

/** Makes somebody known to an application. What is given here anybody may see who resolves her tag. */
export async function createSubject(
  tx: Tx,
  subject: SubjectName & { displayName?: string; imageUrl?: string | undefined },
): Promise<SubjectRow> {
  return insertSubject(tx, subject);
}

/** Changes the picture that is shown of a subject. */
export async function changeSubjectImage(tx: Tx, name: SubjectName, imageUrl: string): Promise<void> {
  await updateSubject(tx, name, { imageUrl });
}
