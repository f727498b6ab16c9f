import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Judge, toMajor } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { afterCommit, type Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { notifyPartner } from '#modules/clients';
import { isFrozen } from '#modules/customers';
import {
  type Account,
  type AfterSettling,
  asMinor,
  changeRules,
  lockAccount,
  lockAccounts,
  type Minor,
  moneyBehind,
  settlePendingTo,
} from '#modules/ledger';
import {
  type DailyLimits,
  dailyLimitOf,
  getWalletForOperator,
  type OperatorWalletView,
  walletNotFound,
} from './find-wallets.ts';
import {
  lockCustomer,
  lockWalletsOf,
  selectLocked,
  selectOfAnyPartner,
  updateStatusBeforeFreeze,
  updateTier,
} from './store.ts';
import type { Tier } from './tables.ts';

/** What a wallet may be given. */
interface Rules {
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
interface Freed {
  /** By a status: the wallet's balance, where it was frozen, and the pending money that it can take and pay again. */
  money: Minor;
  /** By a higher limit: as much as that in a day; undefined where it is none. */
  limit: Minor | undefined;
}

/** What other rules for a wallet, whose account the caller has locked, let be spent. */
async function freedByRules(
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
const amountOf = ({ money, limit = asMinor(0n) }: Freed): Minor => (money > limit ? money : limit);

export interface WalletChange {
  actor: string;
  reference: string;
  status?: Account['status'] | undefined;
  /** Minor units; null: what the tier allows. */
  dailyLimit?: Minor | null | undefined;
  tier?: Tier | undefined;
  reason: string;
  /** Whether the caller may give a status to a wallet of a frozen customer. */
  isAdmin: boolean;
  /** Of what the change lets be spent. */
  judge: Judge;
}

/**
 * Changes status, daily limit or tier of a wallet. A wallet that takes money again gets what has waited for that in the
 * same database transaction. A status given to the wallet of a frozen customer stays when they are released. Audited; the partner’s
 * contact gets a mail about money that can be spent again, and about a higher limit.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_REVOKED, ROLE_REFUSED, INVALID_PARAMETER when nothing is to change; what `judge` does
 */
export async function changeWallet(
  deps: {
    transact: Transact;
    keyring: Keyring;
    dailyLimits: DailyLimits;
    clock: Clock;
    afterSettling: AfterSettling;
    securityLog: SecurityLog;
  },
  { actor, reference, status, dailyLimit, tier, reason, isAdmin, judge }: WalletChange,
): Promise<OperatorWalletView> {
  if (status === undefined && dailyLimit === undefined && tier === undefined) {
    throw new DomainError('INVALID_PARAMETER', 'status: give a status, a dailyLimit or a tier');
  }
  const now = deps.clock.now();
  return deps.transact(async (tx) => {
    if (status !== undefined && !isAdmin) await assertHolderNotFrozen(tx, deps.keyring, reference);
    const wallet = await selectLocked(tx, deps.keyring, reference);
    if (wallet === undefined) throw walletNotFound();
    if (wallet.revokedAt !== null) throw new DomainError('WALLET_REVOKED', 'the wallet is revoked, for good');
    const before = await lockAccount(tx, wallet.accountId);
    const { dailyLimits } = deps;
    const freed = await freedByRules(
      tx,
      { account: before, tier: wallet.tier, dailyLimits },
      { status, dailyLimit, tier },
    );
    judge(amountOf(freed));
    const after = await changeRules(tx, wallet.accountId, { status, dailyLimit }, now);
    if (status !== undefined) await updateStatusBeforeFreeze(tx, wallet.id, null, now);
    if (tier !== undefined) await updateTier(tx, wallet.id, tier, now);
    await recordChange(tx, {
      actor,
      action: 'wallet.change',
      target: reference,
      before: rulesOf(before, wallet.tier),
      after: rulesOf(after, tier ?? wallet.tier),
      reason,
    });
    await tellOfFreed(tx, deps, { partnerId: wallet.partnerId, reference }, freed);
    await settlePendingTo(tx, wallet.accountId, deps);
    return getWalletForOperator(deps, tx, reference);
  });
}

/** The part of a change that lets more be spent: the partner gets a mail, and a security event is logged. */
async function tellOfFreed(
  tx: Tx,
  deps: { keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { partnerId, reference }: { partnerId: string; reference: string },
  { money, limit }: Freed,
): Promise<void> {
  if (money > 0n) {
    const what = `${toMajor(money)} of the wallet ${reference}`;
    await notifyPartner(tx, deps, partnerId, { kind: 'MONEY_FREED', what });
    afterCommit(tx, () => deps.securityLog.record('money_freed', { partnerId }));
  }
  if (limit !== undefined) {
    const what = `the wallet ${reference} may spend ${toMajor(limit)} in a day`;
    await notifyPartner(tx, deps, partnerId, { kind: 'LIMIT_LIFTED', what });
    afterCommit(tx, () => deps.securityLog.record('limit_lifted', { partnerId }));
  }
}

/** The customer is locked before their wallets, and is not frozen before this transaction ends. */
async function assertHolderNotFrozen(tx: Tx, keyring: Keyring, reference: string): Promise<void> {
  const customerId = (await selectOfAnyPartner(tx, keyring, { reference }))?.wallet.customerId ?? null;
  if (customerId === null || !(await isFrozen(tx, keyring, customerId))) return;
  throw new DomainError('ROLE_REFUSED', 'a status needs the role admin here: the customer is frozen');
}

/** What the audit log says of a wallet's rules: `dailyLimit` in minor units; null: the tier's. */
const rulesOf = ({ status, dailyLimit }: Account, tier: Tier) => ({
  status,
  dailyLimit: dailyLimit === null ? null : String(dailyLimit),
  tier,
});

type Status = Account['status'];

/** What a status becomes so that nothing leaves the wallet; what may arrive still may. */
const frozen = { Enabled: 'PND', PND: 'PND', PNC: 'Blocked', Blocked: 'Blocked' } as const satisfies Record<
  Status,
  Status
>;

/** Whose wallets, by whom and why. */
interface Change {
  customerId: string;
  actor: string;
  reason: string;
}

/**
 * Lets no money leave the live wallets of a customer, whose row the caller has locked: a debit under way is finished first,
 * and none after it is begun. Money that arrives is booked. Each change is audited.
 *
 * @returns the references of the wallets
 */
export async function freezeWallets(tx: Tx, { customerId, actor, reason }: Change, now: Date): Promise<string[]> {
  await lockCustomer(tx, customerId);
  const wallets = await lockWalletsOf(tx, customerId);
  for (const { id, reference, accountId, tier } of wallets) {
    const before = await lockAccount(tx, accountId);
    await updateStatusBeforeFreeze(tx, id, before.status, now);
    const status = frozen[before.status];
    if (status === before.status) continue;
    const after = await changeRules(tx, accountId, { status }, now);
    const change = { before: rulesOf(before, tier), after: rulesOf(after, tier) };
    await recordChange(tx, { actor, action: 'wallet.change', target: reference, ...change, reason });
  }
  return wallets.map(({ reference }) => reference);
}

/**
 * Gives the live wallets of a customer, whose row the caller has locked, the status that they had before they were frozen,
 * unless the operator has given them another since; what has waited for them comes in. Each change is audited.
 *
 * @param change.judge of all that they hold and that waits for them
 */
export async function releaseWallets(
  tx: Tx,
  { afterSettling }: { afterSettling: AfterSettling },
  { customerId, actor, reason, judge }: Change & { judge: Judge },
  now: Date,
): Promise<void> {
  await lockCustomer(tx, customerId);
  const wallets = await lockWalletsOf(tx, customerId);
  const accounts = wallets.map(({ accountId }) => accountId);
  await lockAccounts(tx, accounts);
  const behind = await moneyBehind(tx, { accounts });
  judge(behind && asMinor(behind.held + behind.waits));
  for (const { id, reference, accountId, tier, statusBeforeFreeze: status } of wallets) {
    if (status === null) continue;
    const before = await lockAccount(tx, accountId);
    await updateStatusBeforeFreeze(tx, id, null, now);
    if (status === before.status) continue;
    const after = await changeRules(tx, accountId, { status }, now);
    const change = { before: rulesOf(before, tier), after: rulesOf(after, tier) };
    await recordChange(tx, { actor, action: 'wallet.change', target: reference, ...change, reason });
    await settlePendingTo(tx, accountId, { afterSettling });
  }
}
