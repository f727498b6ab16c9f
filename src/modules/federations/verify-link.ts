import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { verifyAttestation } from '#modules/claims';
import { isCode } from '#modules/otp';
import { lockInUse } from './in-use.ts';
import { assertPending, codePurpose, FAILURES_MAX, type Link } from './link.ts';
import { move } from './move.ts';
import { type Party, partyOf, type WhichLink } from './party.ts';
import { countFailure, type LinkRow, lockLink } from './store.ts';
import { otherSide } from './tell.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; publicUrl: string };

/** Whether what was given is the answer to the challenge of the link, which is locked and pending. */
type Answers = (link: LinkRow) => boolean;

/**
 * Verifies a pending link: OTP and ATTESTATION by the application that started it, with the code that the other side was
 * sent or an attestation that its owner consented for the owner of the primary tag; CONSENT by the application of the linked tag's owner. The other side is
 * told. Wrong tokens are counted under the link's lock: however many come at once, five are looked at.
 *
 * @throws DomainError LINK_NOT_FOUND, NOT_PERMITTED, INVALID_PARAMETER, OTP_INVALID, ATTESTATION_INVALID, LINK_EXPIRED,
 *   LINK_NOT_PENDING, TAG_SUSPENDED
 */
export async function verifyLink(
  deps: Deps,
  caller: AuthenticatedApplication,
  { token, ...which }: WhichLink & { token: string | undefined },
): Promise<Link> {
  const party = await partyOf(deps.db, caller, which);
  assertMayVerify(party);
  assertPending(deps.clock.now(), party.parts.link);
  const answers = await proofOf(deps, caller, party, token);
  const verified = await deps.transact((tx) => takeProof(tx, deps, { caller, party, answers }));
  if (verified !== undefined) return verified;
  throw party.parts.link.method === 'OTP'
    ? new DomainError('OTP_INVALID', 'token: is not the code that the other side was sent')
    : new DomainError(
        'ATTESTATION_INVALID',
        'token: is no live attestation, issued to you, of consent on the linked tag for the owner of yours',
      );
}

function assertMayVerify({ parts, isPrimary, isLinked }: Party): void {
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
  { parts: { link, primary } }: Party,
  token: string | undefined,
): Promise<Answers> {
  if (link.method === 'CONSENT') return () => true;
  if (token === undefined) throw new DomainError('INVALID_PARAMETER', 'token: is required');
  if (link.method === 'OTP') {
    return ({ id, tokenDigest }) => isCode(deps.keyring, codePurpose(id), tokenDigest, token);
  }
  const consent = await verifyAttestation(deps, { token, requesterId });
  return ({ linkedTagId }) => consent?.tagId === linkedTagId && consent.subjectId === primary.subjectId;
}

/** A wrong token is an outcome, undefined, and not a throw, so that its counting is committed. */
async function takeProof(
  tx: Tx,
  { clock }: Deps,
  { caller, party, answers }: { caller: AuthenticatedApplication; party: Party; answers: Answers },
): Promise<Link | undefined> {
  const now = clock.now();
  await lockInUse(tx, party.parts.link);
  const link = await lockLink(tx, party.parts.link.id);
  if (link === undefined) throw new DomainError('LINK_NOT_FOUND', 'there is no such link of this tag');
  assertPending(now, link);
  const told = otherSide(caller);
  const refuse = (row: LinkRow) => assertPending(now, row);
  if (answers(link)) {
    return move(tx, { id: link.id, next: 'VERIFIED', now, verifiedBy: caller.namespace, told }, refuse);
  }
  const failures = await countFailure(tx, link, now);
  if (failures >= FAILURES_MAX) await move(tx, { id: link.id, next: 'FAILED', now, told }, refuse);
  return undefined;
}
