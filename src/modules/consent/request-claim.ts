import { secondsUntil } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { randomToken, timeOrderedId } from '#lib/random.ts';
import { type AuthenticatedApplication, assertReturnUrl, findSubject, type SubjectChoice } from '#modules/clients';
import { findTag, lockTagStatus } from '#modules/tags';
import {
  assertActive,
  type Claim,
  type ClaimDeps,
  digestOf,
  macOfClaim,
  publishClaim,
  sealToken,
  toClaim,
} from './claim.ts';
import { type ClaimKey, insertClaim, lockNthNewest, lockOverdueOf, NOT_CONFIRMED, selectById } from './claim-store.ts';
import { expireLocked } from './end-claim.ts';

/** How long the owner has to answer. */
const CONSENT_TTL_MS = 24 * 60 * 60 * 1000;
/** Claims of one application on one tag in a day. */
const REQUESTS_MAX = 100;
const REQUEST_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Asks the owner of a tag that a subject of the calling application may be reached under it. The tag's application gets
 * the event. Of several equal requests at the same time one makes a claim.
 *
 * @param given.returnUrl a page that the application has registered, to which the page leads the owner back
 * @throws DomainError TAG_NOT_FOUND, INVALID_PARAMETER, SUBJECT_NOT_FOUND; RETURN_URL_NOT_REGISTERED; TAG_SUSPENDED; CLAIM_EXISTS while the
 *   application has a claim on this tag for this subject that is pending or approved; TOO_MANY_REQUESTS after a hundred
 *   claims on it in a day
 */
export async function requestClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  { address, returnUrl, ...choice }: SubjectChoice & { address: string; returnUrl?: string | undefined },
): Promise<Claim> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  const subject = await findSubject(deps.db, deps.keyring, caller.id, choice);
  if (returnUrl !== undefined) await assertReturnUrl(deps, caller.id, returnUrl);
  const key = { tagId: found.tag.id, subjectId: subject.id, requestedByAppId: caller.id };
  return deps.transact(async (tx) => {
    assertActive(await lockTagStatus(tx, key.tagId));
    await assertFewRequests(tx, key, deps.clock.now());
    const claim = await insert(tx, deps, { key, returnUrl });
    await publishClaim(tx, 'CONSENT_REQUESTED', claim, [found.ownerApp.id]);
    return claim;
  });
}

async function assertFewRequests(tx: Tx, key: ClaimKey, now: Date): Promise<void> {
  const since = new Date(now.getTime() - REQUEST_WINDOW_MS);
  const first = await lockNthNewest(tx, { ...key, since }, REQUESTS_MAX);
  if (first === undefined) return;
  const details = { retryAfterS: secondsUntil(first, since) };
  throw new DomainError(
    'TOO_MANY_REQUESTS',
    `at most ${REQUESTS_MAX} claims on one tag in 24 hours: retry later`,
    details,
  );
}

async function insert(
  tx: Tx,
  deps: ClaimDeps,
  { key, returnUrl = null }: { key: ClaimKey; returnUrl: string | null | undefined },
): Promise<Claim> {
  const now = deps.clock.now();
  const overdue = await lockOverdueOf(tx, key, now);
  if (overdue !== undefined) await expireLocked(tx, deps, overdue, now);
  const token = randomToken();
  const named = {
    id: timeOrderedId(now),
    ...key,
    tokenDigest: digestOf(token),
    requestedAt: now,
    returnUrl,
  };
  const id = await insertClaim(tx, {
    ...named,
    routingMac: macOfClaim(deps.keyring, { ...named, ...NOT_CONFIRMED, approvedAt: null }),
    tokenSealed: sealToken(deps.keyring, { ...key, requestedAt: now }, token),
    tokenExpiresAt: new Date(now.getTime() + CONSENT_TTL_MS),
  });
  const made = id === undefined ? undefined : await selectById(tx, id);
  if (made !== undefined) return toClaim(deps, made);
  throw new DomainError('CLAIM_EXISTS', 'you have a claim on this tag for this subject already');
}
