import { describe, expect, it } from 'vitest';
import { mayBecome } from '#lib/state-machine.ts';
import { expireClaims } from '#modules/claims';
import { type ClaimState, claimStates, claimTransitions } from '../../../src/modules/claims/claim-state.ts';
import { updateState } from '../../../src/modules/claims/transition-store.ts';
import { useApp } from '../../support/app.ts';
import {
  after,
  answerConsent,
  claimsSeenBy,
  consentInPerson,
  DAY_MS,
  endClaim,
  newClaim,
  newSides,
  type Sides,
  type TestClaim,
} from '../../support/claims.ts';

const server = useApp();

/** How a claim gets to each state, through the API. */
const ways: Record<ClaimState, (sides: Sides, claim: TestClaim) => Promise<unknown>> = {
  PENDING: async () => undefined,
  APPROVED: async ({ owner }, { consentToken }) => answerConsent(server, owner, consentToken, 'approve'),
  REJECTED: async ({ owner }, { consentToken }) => answerConsent(server, owner, consentToken, 'reject'),
  CANCELLED: async ({ requester }, claim) => endClaim(server, requester, claim, 'cancel'),
  EXPIRED: async (sides) => {
    await after(server, DAY_MS, sides);
    await expireClaims(server.resources);
  },
  REVOKED: async (sides, claim) => {
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    await endClaim(server, sides.requester, claim, 'revoke');
  },
};

const pairs = claimStates.flatMap((from) => claimStates.map((to) => [from, to] as const));
const isAllowed = (from: ClaimState, to: ClaimState) => mayBecome(claimTransitions, from, to);

const stateOf = async ({ id }: TestClaim) => {
  const { rows } = await server.owner.query('select state from claims.claim where id = $1', [id]);
  return rows[0]?.state;
};

describe('a claim moves where the table says, and nowhere else', () => {
  it.each(pairs)('from %s to %s', async (from, to) => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await ways[from](sides, claim);
    expect(await stateOf(claim)).toBe(from);
    const { db, clock } = server.resources;
    const now = to === 'EXPIRED' ? new Date(claim.tokenExpiresAt) : clock.now();
    const moved = await db.transaction((tx) => updateState(tx, claim.id, to, now));
    expect(moved).toBe(isAllowed(from, to));
    expect(await stateOf(claim)).toBe(isAllowed(from, to) ? to : from);
  });
});

it('a claim is never expired before its time, nor answered after it', async () => {
  const claim = await newClaim(server, await newSides(server));
  const { db } = server.resources;
  const end = new Date(claim.tokenExpiresAt);
  const before = new Date(end.getTime() - 1);
  expect(await db.transaction((tx) => updateState(tx, claim.id, 'EXPIRED', before))).toBe(false);
  for (const late of ['APPROVED', 'REJECTED', 'CANCELLED'] as const) {
    expect(await db.transaction((tx) => updateState(tx, claim.id, late, end))).toBe(false);
  }
  expect(await db.transaction((tx) => updateState(tx, claim.id, 'APPROVED', before))).toBe(true);
});

it('approve from both sides, reject and cancel, fifty at once: one outcome', async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  await consentInPerson(server, claim);
  const tries = [
    () => answerConsent(server, sides.owner, claim.consentToken, 'approve'),
    () => answerConsent(server, sides.requester, claim.consentToken, 'approve'),
    () => answerConsent(server, sides.owner, claim.consentToken, 'reject'),
    () => endClaim(server, sides.requester, claim, 'cancel'),
  ];
  const fifty = Array.from({ length: 13 }, () => tries)
    .flat()
    .slice(0, 50);
  const answers = await Promise.all(fifty.map((attempt) => attempt()));
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  const seen = await claimsSeenBy(server, sides.owner, sides.tag);
  expect(['APPROVED', 'REJECTED', 'CANCELLED']).toContain(seen[0]?.state);
});
