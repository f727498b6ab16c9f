import type { Tx } from '#lib/postgres/executor.ts';
import { type Account, asMinor, type Minor, moneyBehind } from '#modules/ledger';
import { type DailyLimits, dailyLimitOf } from './daily-limit.ts';
import type { Tier } from './tables.ts';

/** What a wallet may be given. */
export interface Rules {
  status?: Account['status'] | undefined;
  dailyLimit?: Minor | null | undefined;
  tier?: Tier | undefined;
}

/** Whether money may leave a wallet of this status. */
const letsOut = (status: Account['status']): boolean => status === 'Enabled' || status === 'PNC';

/** The limit that a change of rules raises a wallet’s to; undefined where it raises none. */
function raisedLimit(
  account: Pick<Account, 'dailyLimit'>,
  { tier: was, dailyLimits }: { tier: Tier; dailyLimits: DailyLimits },
  { dailyLimit, tier }: Rules,
): Minor | undefined {
  const before = dailyLimitOf(account, was, dailyLimits);
  const own = dailyLimit === undefined ? account.dailyLimit : dailyLimit;
  const after = dailyLimitOf({ dailyLimit: own }, tier ?? was, dailyLimits);
  return after > before ? after : undefined;
}

/** What a change of rules lets be spent that could not be before. Minor units. */
export interface Freed {
  /** By a status: what the wallet holds, where it let nothing out, and what waits for it, where it takes in and lets out anew. */
  money: Minor;
  /** By a higher limit: as much as that in a day; undefined where it is none. */
  limit: Minor | undefined;
}

/** What other rules for a wallet, whose account the caller has locked, let be spent. */
export async function freedByRules(
  tx: Tx,
  { account, ...wallet }: { account: Account; tier: Tier; dailyLimits: DailyLimits },
  rules: Rules,
): Promise<Freed> {
  const { status: before } = account;
  const { status: after = before } = rules;
  const behind = await moneyBehind(tx, { accounts: [account.id] });
  const held = letsOut(after) && !letsOut(before) ? (behind?.held ?? 0n) : 0n;
  const comes = after === 'Enabled' && before !== 'Enabled' ? (behind?.waits ?? 0n) : 0n;
  return { money: asMinor(held + comes), limit: raisedLimit(account, wallet, rules) };
}

/** A change counts as the larger of what it frees now and what it lets be spent in a day. */
export const amountOf = ({ money, limit = asMinor(0n) }: Freed): Minor => (money > limit ? money : limit);
