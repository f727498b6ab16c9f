import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, type RowInSql, readRow } from '#lib/crypto/routing-facts.ts';
import { tagRoute } from '#modules/tags';

/** Which tag is a customer's PayTag, by what they are found and log in, what they are called, and whether they may do anything. */
export const customerRoute = {
  table: 'customers.customer',
  columns: [
    'id',
    'tagId',
    'bvnIndex',
    'phoneIndex',
    'phoneProvenAt',
    'emailIndex',
    'emailProvenAt',
    'firstName',
    'lastName',
    'otherName',
    'isOtherNameConfirmed',
    'passwordHash',
    'frozenAt',
    'bvnHandedBackAt',
    'erasedAt',
  ],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [customerRoute];

/** What `customers.payee` found: a PayTag, and the customer whose it is. */
export interface PayeeRows {
  tag: RowInSql<typeof tagRoute>;
  customer: RowInSql<typeof customerRoute>;
}

/** Passes a PayTag and a customer who are as we stored them. @throws AlteredRecord for others */
export function assertPayee(keyring: Keyring, { tag, customer }: PayeeRows): void {
  assertAuthentic(keyring, tagRoute, readRow(tag));
  assertAuthentic(keyring, customerRoute, readRow(customer));
}
