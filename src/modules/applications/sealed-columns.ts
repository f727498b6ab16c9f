import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** The e-mail address of whoever registered an application. */
export const APPLICATION_EMAIL = {
  table: 'applications.application',
  column: 'email_sealed',
  row: ['id'],
} as const satisfies SealedColumn;

/** The e-mail address of a subject. */
export const SUBJECT_EMAIL = {
  table: 'applications.subject',
  column: 'email_sealed',
  row: ['application_id', 'external_id'],
} as const satisfies SealedColumn;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [APPLICATION_EMAIL, SUBJECT_EMAIL];
