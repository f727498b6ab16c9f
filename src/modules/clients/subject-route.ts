import type { RoutingFacts } from '#lib/crypto/routing-facts.ts';

/** Whose subject it is, and who: of the built-in application a customer. None of this ever changes. */
export const subjectRoute = {
  table: 'applications.subject',
  columns: ['id', 'applicationId', 'externalId'],
} as const satisfies RoutingFacts;
