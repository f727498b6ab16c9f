import type { RoutingFacts } from '#lib/crypto/routing-facts.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { subjectRoute } from './subject-route.ts';

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

/** Who an application is, what proves that it calls, and the pages to which it may have customers led back. */
export const APPLICATION_ROUTE = {
  table: 'applications.application',
  columns: [
    'id',
    'namespace',
    'clientIdDigest',
    'secretDigest',
    'previousSecretDigest',
    'previousSecretUntil',
    'tokenGeneration',
    'returnUrls',
  ],
  where: 'not built_in', // ours has no credentials and no pages
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [APPLICATION_ROUTE, subjectRoute];
