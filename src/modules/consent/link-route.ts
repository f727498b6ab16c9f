import type { Keyring } from '#lib/crypto/keyring.ts';
import {
  assertAuthentic,
  type FactsOf,
  type RoutingFacts,
  routingMacOf,
  type Vouched,
} from '#lib/crypto/routing-facts.ts';

/** Which tags are linked, for whom, where the page leads back to, and what verified it; what has ended stays so by a trigger. */
const linkRoute = {
  table: 'federations.link',
  columns: [
    'id',
    'federationId',
    'primaryTagId',
    'primaryAppId',
    'linkedTagId',
    'linkedAppId',
    'method',
    'returnUrl',
    'verifiedAt',
    'verifiedBy',
  ],
} as const satisfies RoutingFacts;

type Link = Vouched<typeof linkRoute>;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [linkRoute];

export const macOfLink = (keyring: Keyring, link: FactsOf<typeof linkRoute>): Buffer =>
  routingMacOf(keyring, linkRoute, link);

/** Passes a link that stands as we stored it. @throws AlteredRecord */
export const assertLink = (keyring: Keyring, link: Link): void => assertAuthentic(keyring, linkRoute, link);

/** What verified a link, with its MAC. @throws AlteredRecord for one that does not stand as we stored it */
export function verificationOf(
  keyring: Keyring,
  link: Link,
  verified: { verifiedAt: Date; verifiedBy: string },
): Verification {
  assertLink(keyring, link);
  return { ...verified, routingMac: macOfLink(keyring, { ...link, ...verified }) };
}

export interface Verification {
  verifiedAt: Date;
  verifiedBy: string;
  routingMac: Buffer;
}
