import { type Clock, secondsUntil } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { ErrorCode } from '#lib/error-codes.ts';
import type { Transact } from '#lib/transact.ts';
import { type Answer, type Proof, proveOwner } from '#modules/owner-proofs';
import type { Throttles } from '#modules/throttles';
import { lockInUse } from './in-use.ts';
import { assertPending, FAILURES_MAX, statusAt } from './link.ts';
import { challengeOf, findAsked } from './link-in-person.ts';
import { move } from './move.ts';
import { countFailure, countProofAttempt, type LinkParts, type LinkRow, lockLink } from './store.ts';
import { otherSide } from './tell.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; throttles: Throttles };

/** Of a proof that was looked at, and was none. */
const WRONG_PROOF = new Set<ErrorCode>(['INVALID_CUSTOMER_CREDENTIALS', 'OTP_INVALID', 'OTP_EXPIRED']);

/**
 * A customer proves herself and consents to the link that is asked of her PayTag, or declines it. The application that
 * started it is told, and has nothing more to do. With the fifth wrong proof the link fails.
 *
 * @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED, TAG_SUSPENDED,
 *   INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function answerLinkInPerson(
  deps: Deps,
  approvalToken: string,
  { answer, proof }: { answer: Answer; proof: Proof },
): Promise<void> {
  const asked = await findAsked(deps, approvalToken);
  assertPending(deps.clock.now(), asked.link);
  try {
    await proveOwner(deps, challengeOf(asked), proof, () => takeProofAttempt(deps, asked.link));
  } catch (error) {
    if (error instanceof DomainError && WRONG_PROOF.has(error.code)) await countWrongProof(deps, asked);
    throw error;
  }
  await deps.transact((tx) => takeAnswer(tx, deps, asked, answer));
}

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
    await move(tx, { id, next: 'FAILED', now, told: otherSide(linkedApp) }, (row) => assertPending(now, row));
  });
}

async function takeAnswer(tx: Tx, { clock }: Deps, { link, linked, linkedApp }: LinkParts, answer: Answer) {
  const now = clock.now();
  const change = { id: link.id, now, told: otherSide(linkedApp) };
  const refuse = (row: LinkRow) => assertPending(now, row);
  if (answer === 'decline') return move(tx, { ...change, next: 'REJECTED' }, refuse);
  await lockInUse(tx, link);
  return move(tx, { ...change, next: 'VERIFIED', verifiedBy: `${linked.handle}@${linkedApp.namespace}` }, refuse);
}
