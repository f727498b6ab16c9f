import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { isCode } from '#modules/limits';
import { verifyAttestation } from './approve-claim.ts';
import {
  assertPending,
  codePurpose,
  FAILURES_MAX,
  type FoundLink,
  findLinkAs,
  type Link,
  type LinkAddress,
  linkNotFound,
  lockActivePair,
  otherSide,
  transitionLink,
  verificationOf,
} from './link.ts';
import { countFailure, type LinkRow, lockLink } from './link-store.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; publicUrl: string };

/** Whether the token proves a link, which is locked and pending. */
type Proves = (link: LinkRow) => boolean;

/**
 * Verifies a pending link; the other side gets the event. OTP: the initiator returns the code that the other side received.
 * ATTESTATION: it shows that the linked tag's owner consented for the owner of the primary one. CONSENT: the application of
 * the linked tag's owner consents. Wrong tokens are counted under the link's lock: of any number at the same time five are
 * checked.
 *
 * @throws DomainError LINK_NOT_FOUND, NOT_PERMITTED, INVALID_PARAMETER, OTP_INVALID, ATTESTATION_INVALID, LINK_EXPIRED,
 *   LINK_NOT_PENDING, TAG_SUSPENDED
 */
export async function verifyLink(
  deps: Deps,
  caller: AuthenticatedApplication,
  { token, ...which }: LinkAddress & { token: string | undefined },
): Promise<Link> {
  const seen = await findLinkAs(caller, deps, which);
  assertMayVerify(seen);
  assertPending(deps.clock.now(), seen.parts.link);
  const proves = await proofOf(deps, caller, seen, token);
  const verified = await deps.transact((tx) => takeProof(tx, deps, { caller, seen, proves }));
  if (verified !== undefined) return verified;
  throw seen.parts.link.method === 'OTP'
    ? new DomainError('OTP_INVALID', 'token: is not the code that the other side was sent')
    : new DomainError(
        'ATTESTATION_INVALID',
        'token: is no live attestation, issued to you, of consent on the linked tag for the owner of yours',
      );
}

function assertMayVerify({ parts, isPrimary, isLinked }: FoundLink): void {
  const isConsent = parts.link.method === 'CONSENT';
  if (isConsent ? isLinked : isPrimary) return;
  throw new DomainError(
    'NOT_PERMITTED',
    isConsent ? 'the side of the linked tag’s owner consents' : 'the application that started this link verifies it',
  );
}

async function proofOf(
  deps: Deps,
  { id: requesterId }: AuthenticatedApplication,
  { parts: { link, primary } }: FoundLink,
  token: string | undefined,
): Promise<Proves> {
  if (link.method === 'CONSENT') return () => true;
  if (token === undefined) throw new DomainError('INVALID_PARAMETER', 'token: is required');
  if (link.method === 'OTP') {
    return ({ id, tokenDigest }) => isCode(deps.keyring, codePurpose(id), tokenDigest, token);
  }
  const consent = await verifyAttestation(deps, { token, requesterId });
  return ({ linkedTagId }) => consent?.tagId === linkedTagId && consent.subjectId === primary.subjectId;
}

/** A wrong token returns undefined and does not throw, so that its count is committed. */
async function takeProof(
  tx: Tx,
  { keyring, clock }: Deps,
  { caller, seen, proves }: { caller: AuthenticatedApplication; seen: FoundLink; proves: Proves },
): Promise<Link | undefined> {
  const now = clock.now();
  await lockActivePair(tx, seen.parts.link);
  const link = await lockLink(tx, seen.parts.link.id);
  if (link === undefined) throw linkNotFound();
  assertPending(now, link);
  const change = { id: link.id, now, recipients: otherSide(caller) };
  if (proves(link)) {
    const verification = verificationOf(keyring, link, { verifiedAt: now, verifiedBy: caller.namespace });
    return transitionLink(tx, { ...change, next: 'VERIFIED', verification });
  }
  const failures = await countFailure(tx, link, now);
  if (failures >= FAILURES_MAX) await transitionLink(tx, { ...change, next: 'FAILED' });
  return undefined;
}
