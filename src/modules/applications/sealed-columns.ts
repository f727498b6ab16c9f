import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { EMAIL_PURPOSE } from './application-for-operator.ts';
import { SUBJECT_EMAIL_PURPOSE } from './subject.ts';

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'applications.application', column: 'email_sealed', purpose: EMAIL_PURPOSE },
  { table: 'applications.subject', column: 'email_sealed', purpose: SUBJECT_EMAIL_PURPOSE },
];
