import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { bringForward as bringOnboardingForward } from '#modules/accounts';
import { bringForward as bringConsentsForward, expireClaims, expireLinks } from '#modules/consent';
import { bringForward as bringDisputesForward, expireDisputes } from '#modules/disputes';
import { bringForward as bringTransactionsForward, expireTransactions } from '#modules/offers';
import { bringForward as bringPayoutsForward } from '#modules/payouts';
import { bringForward as bringSessionsForward } from '#modules/sessions';
import { bringForward as bringStatementsForward } from '#modules/statements';
import { bringForward as bringSplitsForward, expireSplits } from '#modules/terminals';
import { selectCounterpart } from './store.ts';

/** Expired in the call; the worker expires the rest. */
const EXPIRED_AT_ONCE_MAX = 200;

/** How many of a partner's things were brought forward, by what they are. */
export interface ForwardedOfPartner {
  onboardingSessions: number;
  otps: number;
  authCodes: number;
  customerSessions: number;
  statements: number;
  splits: number;
  payouts: number;
  disputes: number;
}

/** How many of an application's things were brought forward, by what they are. */
export interface ForwardedOfApplication {
  claims: number;
  links: number;
  ownerCodes: number;
  transactions: number;
}

/**
 * Lets a time pass for what is a partner's own and expires, and for nothing else: the moments at which it does move back by
 * so many seconds. What has expired then is marked so, as the worker does it.
 *
 * @returns how many moved, by what they are
 */
export async function bringPartnerForward(
  deps: { db: Database; transact: Transact; clock: Clock },
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<ForwardedOfPartner> {
  const now = deps.clock.now();
  const given = { partnerId, seconds, now };
  const forwarded = await deps.transact(async (tx) => {
    const onboarding = await bringOnboardingForward(tx, given);
    const sessions = await bringSessionsForward(tx, given);
    return {
      onboardingSessions: onboarding.sessions,
      otps: onboarding.codes,
      authCodes: sessions.authCodes,
      customerSessions: sessions.sessions,
      statements: await bringStatementsForward(tx, given),
      splits: await bringSplitsForward(tx, given),
      payouts: await bringPayoutsForward(tx, given),
      disputes: await bringDisputesForward(tx, given),
    };
  });
  await expireSplits(deps.db, now);
  await expireDisputes(deps, EXPIRED_AT_ONCE_MAX, now);
  return forwarded;
}

/**
 * The same for what an application has begun: its claims, its links, what it offers, and what the sandbox offers it. The
 * events of what expires are published.
 *
 * @returns how many moved, by what they are
 */
export async function bringApplicationForward(
  deps: DepsOf<typeof expireClaims> & DepsOf<typeof expireTransactions> & DepsOf<typeof expireLinks>,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<ForwardedOfApplication> {
  const { db, clock, transact } = deps;
  const counterpartId = (await selectCounterpart(db, {}))?.applicationId ?? null;
  const forwarded = await transact(async (tx) => {
    return {
      ...(await bringConsentsForward(tx, { applicationId, seconds })),
      transactions: await bringTransactionsForward(tx, { applicationId, counterpartId, seconds }),
    };
  });
  const now = clock.now();
  await expireClaims(deps, EXPIRED_AT_ONCE_MAX, now);
  await expireLinks(deps, EXPIRED_AT_ONCE_MAX, now);
  await expireTransactions(deps, EXPIRED_AT_ONCE_MAX, now);
  return forwarded;
}
