import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type FactsOf, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { ClaimRow } from './claim-store.ts';

/** Who asks whom for what, where the page leads back to, and when the owner consented; what has ended stays so by a trigger. */
const claimRoute = {
  table: 'claims.claim',
  columns: [
    'id',
    'tagId',
    'subjectId',
    'requestedByAppId',
    'tokenDigest',
    'returnUrl',
    'requestedAt',
    'ownerConfirmedAt',
    'ownerConfirmedBy',
    'approvedAt',
  ],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [claimRoute];

export const macOfClaim = (keyring: Keyring, claim: FactsOf<typeof claimRoute>): Buffer =>
  routingMacOf(keyring, claimRoute, claim);

/** Passes a claim that stands as we stored it. @throws AlteredRecord */
export const assertClaim = (keyring: Keyring, claim: ClaimRow): void => assertAuthentic(keyring, claimRoute, claim);

/** What a claim is changed to, with its MAC. @throws AlteredRecord for one that does not stand as we stored it */
export function changedClaim<Change extends Partial<FactsOf<typeof claimRoute>>>(
  keyring: Keyring,
  claim: ClaimRow,
  change: Change,
): Change & { routingMac: Buffer } {
  assertClaim(keyring, claim);
  return { ...change, routingMac: macOfClaim(keyring, { ...claim, ...change }) };
}
