import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import type { PayoutProvider } from '../../providers/payout/port.ts';
import { ask } from './carry-payouts.ts';
import { openPayoutAccount } from './payout-account.ts';
import { getPayout, type PayoutView, payoutNotFound } from './payout-view.ts';
import { type PayoutNews, type SettleDeps, settlePayout } from './settle-payout.ts';
import { type PayoutRow, selectById } from './store.ts';

type Deps = SettleDeps & {
  db: Database;
  keyring: Keyring;
  securityLog: SecurityLog;
  payoutProvider: PayoutProvider | undefined;
};

/**
 * Asks the provider now what has become of a payout, and books it. Audited.
 *
 * @throws DomainError PAYOUT_NOT_FOUND; PAYOUT_STATE_CONFLICT for one that was not sent, or has ended otherwise than successful
 *   without a contradiction; PROVIDER_NOT_CONFIGURED
 */
export async function verifyPayout(
  deps: Deps,
  { id, actor, reason }: { id: string; actor: string; reason?: string | undefined },
): Promise<PayoutView> {
  const row = await rowOf(deps.db, id);
  const { payoutProvider } = deps;
  if (payoutProvider === undefined) {
    throw new DomainError('PROVIDER_NOT_CONFIGURED', 'this installation has no provider of payouts');
  }
  const isOpen = ['SENT', 'UNKNOWN', 'SUCCESSFUL'].includes(row.state);
  if (!isOpen && row.contradiction === null) throw conflict(row, 'there is nothing to ask about');
  const news = await ask(deps, payoutProvider, row);
  const settled = await settlePayout(deps, { providerReference: row.providerReference, news });
  const [before, after] = [{ state: row.state }, { state: settled?.state ?? row.state }];
  await deps.transact(async (tx) =>
    recordChange(tx, { actor, action: 'payout.verify', target: id, before, after, reason }),
  );
  return getPayout(deps, id);
}

/**
 * Books what two operators have found out of a payout of unknown end, e.g. by telephone. Or gives up one that was not sent yet:
 * it is FAILED. Audited.
 *
 * @throws AlteredRecord where the payout is not as it was ordered
 * @throws DomainError PAYOUT_NOT_FOUND; PAYOUT_STATE_CONFLICT for one whose end is known, or that is being sent
 */
export async function markPayout(
  deps: Deps,
  { id, outcome, reason, actor }: { id: string; outcome: 'SUCCESSFUL' | 'FAILED'; reason: string; actor: string },
): Promise<PayoutView> {
  const row = await rowOf(deps.db, id);
  const judge = (now: PayoutRow): void => {
    const isUnsent = now.state === 'PENDING' && outcome === 'FAILED';
    if (now.state !== outcome && now.state !== 'UNKNOWN' && !isUnsent) {
      throw conflict(now, 'only one of unknown end can be marked, and as FAILED one that was not sent');
    }
  };
  judge(row);
  openPayoutAccount(deps.keyring, row);
  await settlePayout(deps, {
    providerReference: row.providerReference,
    judge,
    news: newsOf(row, outcome),
    also: async (tx, before, after) =>
      recordChange(tx, {
        actor,
        action: 'payout.mark',
        target: id,
        before: { state: before.state },
        after: { state: after.state, amount: String(after.amount) },
        reason,
      }),
  });
  return getPayout(deps, id);
}

/** What operators say of a payout. */
function newsOf({ state }: PayoutRow, outcome: 'SUCCESSFUL' | 'FAILED'): PayoutNews {
  if (outcome === 'SUCCESSFUL') return { state: outcome };
  if (state === 'PENDING') return { state: 'STOPPED', reason: 'PAYOUT_NOT_SENT' };
  return { state: outcome, detail: 'marked by operators' };
}

async function rowOf(db: Database, id: string): Promise<PayoutRow> {
  const found = await selectById(db, { id });
  if (found === undefined) throw payoutNotFound();
  return found.row;
}

const conflict = ({ state }: PayoutRow, why: string): DomainError =>
  new DomainError('PAYOUT_STATE_CONFLICT', `the payout is ${state}: ${why}`);
