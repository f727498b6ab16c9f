import type { Judge } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import {
  type Account,
  type AfterSettling,
  asMinor,
  changeRules,
  lockAccount,
  lockAccounts,
  moneyBehind,
  settlePendingTo,
} from '#modules/ledger';
import { lockWalletsOf, updateStatusBeforeFreeze } from './change-store.ts';
import { rulesOf } from './change-wallet.ts';
import { lockCustomer } from './store.ts';

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
