import type { Keyring } from '#lib/crypto/keyring.ts';
import { isAuthentic as isAsStored, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { operator } from './tables.ts';

type Row = typeof operator.$inferSelect;

/** Who an operator is, what they may do, and what proves that it is them. Without its MAC a row opens nothing. */
const OPERATOR = {
  table: 'operators.operator',
  columns: ['id', 'name', 'role', 'status', 'tokenDigest', 'tokenExpiresAt'],
  where: 'routing_mac is not null',
} as const satisfies RoutingFacts;

/** Who is signed in at the console, and until when: an operator, or root, who has no id here. */
export const SESSION = {
  table: 'operators.session',
  columns: ['digest', 'operatorId', 'tokenDigest', 'createdAt', 'expiresAt', 'endedAt'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [OPERATOR, SESSION];

/** What is vouched for of an operator. */
export type VouchedFor = Pick<Row, 'id' | 'name' | 'role' | 'status' | 'tokenDigest' | 'tokenExpiresAt'>;

/** The MAC of an operator: who writes to the tables alone makes no operator, raises no role and prolongs no token. */
export const macOf = (keyring: Keyring, row: VouchedFor): Buffer => routingMacOf(keyring, OPERATOR, row);

/** Whether the server wrote this row as it stands. */
export const isAuthentic = (keyring: Keyring, row: VouchedFor & Pick<Row, 'routingMac'>): boolean =>
  isAsStored(keyring, OPERATOR, row);
