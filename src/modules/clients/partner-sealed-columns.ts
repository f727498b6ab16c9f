import type { RoutingFacts } from '#lib/crypto/routing-facts.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** The e-mail address of a partner's contact. */
export const CONTACT = {
  table: 'partners.partner',
  column: 'contact_email_sealed',
  row: ['id'],
} as const satisfies SealedColumn;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [CONTACT];

/** Who a partner is, and where its customers return to with a login's code; and when it was made, by which its first key ends. */
export const PARTNER_ROUTE = {
  table: 'partners.partner',
  columns: ['id', 'clientIdDigest', 'redirectUrl', 'createdAt'],
} as const satisfies RoutingFacts;

/** Whose an API key is, and when it was made. */
export const API_KEY_ROUTE = {
  table: 'partners.api_key',
  columns: ['id', 'partnerId', 'digest', 'createdAt'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [PARTNER_ROUTE, API_KEY_ROUTE];
