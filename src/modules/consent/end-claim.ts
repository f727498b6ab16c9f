import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import {
  assertPending,
  bothSides,
  type Claim,
  type ClaimDeps,
  type ClaimReadDeps,
  findClaimAs,
  findConsentAs,
  otherSide,
  transitionClaim,
} from './claim.ts';
import { type ClaimRow, lockOpenOfTag, lockOverdue } from './claim-store.ts';
import { claimStateAt } from './states.ts';

/**
 * The application of the tag's owner rejects a pending claim. The requester gets the event.
 *
 * @throws DomainError CONSENT_NOT_FOUND; NOT_PERMITTED for the requester; CONSENT_EXPIRED, CONSENT_NOT_PENDING
 */
export async function rejectClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  consentToken: string,
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts, isOwner } = await findConsentAs(caller, deps, consentToken);
  if (!isOwner) {
    throw new DomainError('NOT_PERMITTED', 'only the side of the tag’s owner rejects a claim: cancel yours');
  }
  const change = { id: parts.claim.id, next: 'REJECTED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) => transitionClaim(tx, deps, change, (row) => assertPending(now, row)));
}

/**
 * The requester cancels a pending claim. The application of the tag's owner gets the event.
 *
 * @throws DomainError CLAIM_NOT_FOUND; NOT_PERMITTED for the owner's application; CLAIM_NOT_PENDING
 */
export async function cancelClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts, isRequester } = await findClaimAs(caller, deps, which);
  if (!isRequester) {
    throw new DomainError('NOT_PERMITTED', 'only the application that asked cancels a claim: reject it');
  }
  const change = { id: parts.claim.id, next: 'CANCELLED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) =>
    transitionClaim(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_PENDING', `this claim is ${claimStateAt(now, row).toLowerCase()} already`);
    }),
  );
}

/**
 * Either side ends an approved claim, for good. The other side gets the event. Attestations of it still verify offline
 * until they expire, but nowhere here.
 *
 * @throws DomainError CLAIM_NOT_FOUND, CLAIM_NOT_APPROVED
 */
export async function revokeClaim(
  deps: ClaimDeps,
  caller: AuthenticatedApplication,
  which: { address: string; claimId: string },
): Promise<Claim> {
  const now = deps.clock.now();
  const { parts } = await findClaimAs(caller, deps, which);
  const change = { id: parts.claim.id, next: 'REVOKED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) => transitionClaim(tx, deps, change, notApproved(now, 'claim')));
}

/** What refuses to revoke a claim that is not approved. */
export const notApproved =
  (now: Date, noun: 'claim' | 'consent') =>
  (row: ClaimRow): never => {
    throw new DomainError(
      'CLAIM_NOT_APPROVED',
      `this ${noun} is ${claimStateAt(now, row).toLowerCase()}, not approved`,
    );
  };

/**
 * Ends the claims on a tag that is being closed: a pending one is rejected, an approved one revoked, and both sides get
 * the event. The caller has locked the tag, so that nothing is agreed meanwhile.
 */
export async function endClaimsOfTag(tx: Tx, deps: Omit<ClaimReadDeps, 'db'>, tagId: string, now: Date): Promise<void> {
  for (const open of await lockOpenOfTag(tx, tagId)) {
    const state = claimStateAt(now, open);
    const unanswered = state === 'EXPIRED' ? 'EXPIRED' : 'REJECTED';
    const next = state === 'APPROVED' ? 'REVOKED' : unanswered;
    await transitionClaim(tx, deps, { id: open.id, next, now, recipients: bothSides }, () => undefined);
  }
}

/**
 * Marks claims EXPIRED whose consent token has expired, at most `limit`; both sides get the event. Reads count a claim as
 * expired before it is marked (`claimStateAt`). Several processes may do so at the same time.
 *
 * @returns how many
 */
export async function expireClaims(deps: ClaimDeps, limit: number, now: Date): Promise<number> {
  return deps.transact(async (tx) => {
    const overdue = await lockOverdue(tx, { now, limit });
    for (const id of overdue) await expireLocked(tx, deps, id, now);
    return overdue.length;
  });
}

/** Marks a claim EXPIRED that `lockOverdue` found; both sides get the event. */
export async function expireLocked(tx: Tx, deps: ClaimDeps, id: string, now: Date): Promise<void> {
  await transitionClaim(tx, deps, { id, next: 'EXPIRED', now, recipients: bothSides }, () => undefined);
}
