import { type Clock, secondsUntil } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { CodeLimits, Throttles } from '#modules/limits';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import type { Answer, Challenge } from './challenge.ts';
import { assertPending, FAILURES_MAX, statusAt } from './link.ts';
import { findRequested, type RequestedLink } from './link-request.ts';
import { verificationOf } from './link-route.ts';
import { countFailure, countProofAttempt, type LinkParts, type LinkRow, lockLink } from './link-store.ts';
import { type Proof, type ProofLimits, proveOwner } from './prove-owner.ts';
import { sendOwnerCode } from './send-owner-code.ts';
import { lockActivePair } from './tag-pair.ts';
import { otherSide, transitionLink } from './transition-link.ts';

type Deps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  throttles: Throttles;
  limits: CodeLimits & ProofLimits;
};

/** The refusals of a proof that was looked at and does not hold. */
const WRONG_PROOF = new Set(['INVALID_CUSTOMER_CREDENTIALS', 'OTP_INVALID', 'OTP_EXPIRED']);

/**
 * Sends a customer a code, to answer by on the approval page.
 *
 * @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING, and as `sendOwnerCode`
 */
export async function sendLinkCode(
  deps: Deps & { messaging: MessagingProvider },
  approvalToken: string,
  channel: Channel,
): Promise<void> {
  const requested = await findRequested(deps, approvalToken);
  assertPending(deps.clock.now(), requested.link);
  await sendOwnerCode(deps, challengeOf(requested), channel);
}

/**
 * A customer proves who they are, and consents to the link that is asked of their PayTag, or declines it. The application
 * that started it is notified, and has nothing more to do. With the fifth wrong proof the link fails.
 *
 * @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED, TAG_SUSPENDED,
 *   INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function answerLinkRequest(
  deps: Deps,
  approvalToken: string,
  { answer, proof }: { answer: Answer; proof: Proof },
): Promise<void> {
  const requested = await findRequested(deps, approvalToken);
  assertPending(deps.clock.now(), requested.link);
  try {
    await proveOwner(deps, challengeOf(requested), proof, () => takeProofAttempt(deps, requested.link));
  } catch (error) {
    if (error instanceof DomainError && WRONG_PROOF.has(error.code)) await countWrongProof(deps, requested);
    throw error;
  }
  await deps.transact((tx) => applyAnswer(tx, deps, requested, answer));
}

/** What the code that proves the owner of a linked tag is for. */
export const linkPurpose = (linkId: string): string => `federation:${linkId}`;

const challengeOf = ({ link, primary, primaryApp, linked, owner }: RequestedLink): Challenge => ({
  purpose: linkPurpose(link.id),
  about: `approve or decline that @${linked.handle} is linked to ${primary.handle}@${primaryApp.namespace}`,
  tag: linked.handle,
  owner,
  requesterId: link.primaryAppId,
  expiresAt: link.expiresAt,
});

/** Before the proof is looked at, so that of any number at once no more than five are. */
async function takeProofAttempt({ db, clock }: Deps, { id, expiresAt }: LinkRow): Promise<void> {
  if (await countProofAttempt(db, id, FAILURES_MAX)) return;
  throw new DomainError('CONSENT_ATTEMPTS_EXCEEDED', 'too many attempts on this link: the application can start anew', {
    retryAfterS: secondsUntil(expiresAt, clock.now()),
  });
}

async function countWrongProof({ transact, clock }: Deps, { link: { id }, linkedApp }: LinkParts): Promise<void> {
  await transact(async (tx) => {
    const now = clock.now();
    const link = await lockLink(tx, id);
    if (link === undefined || statusAt(now, link) !== 'PENDING') return;
    if ((await countFailure(tx, link, now)) < FAILURES_MAX) return;
    await transitionLink(tx, { id, next: 'FAILED', now, recipients: otherSide(linkedApp) });
  });
}

async function applyAnswer(tx: Tx, { keyring, clock }: Deps, { link, linked, linkedApp }: LinkParts, answer: Answer) {
  const change = { id: link.id, now: clock.now(), recipients: otherSide(linkedApp) };
  if (answer === 'decline') return transitionLink(tx, { ...change, next: 'REJECTED' });
  await lockActivePair(tx, link);
  const verified = { verifiedAt: change.now, verifiedBy: `${linked.handle}@${linkedApp.namespace}` };
  return transitionLink(tx, { ...change, next: 'VERIFIED', verification: verificationOf(keyring, link, verified) });
}
