import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { sourceStatusOf } from '#modules/ledger';
import { PayoutNotSent, type PayoutOrder, type PayoutProvider, PayoutUnknown } from '../../providers/payout/port.ts';
import { openPayoutAccount } from './payout-account.ts';
import { type PayoutNews, type SettleDeps, settlePayout } from './settle-payout.ts';
import { type ClaimedPayout, claimDuePayouts, type PayoutRow } from './store.ts';

/** What the payee reads. */
const NARRATION = 'PayTag payout';
const AT_ONCE = 16;
/** In one run at most; the rest waits for the next. */
const BATCHES_MAX = 25;
const HOUR_MS = 3_600_000;

export type CarryDeps = SettleDeps & {
  db: Database;
  keyring: Keyring;
  payoutProvider: PayoutProvider | undefined;
  payouts: { leaseMs: number };
};

/**
 * Has the payouts that are due sent, and asks what became of those that were. Any number of processes may do so at once. When
 * one dies, another takes over after its lease, and asks about what may have been sent: nothing is sent twice.
 */
export async function carryPayouts(deps: CarryDeps): Promise<void> {
  const { db, clock, payouts, payoutProvider } = deps;
  if (payoutProvider === undefined) return;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const claimed = await claimDuePayouts(db, { now: clock.now(), leaseMs: payouts.leaseMs, limit: AT_ONCE });
    await Promise.all(claimed.map((each) => carry(deps, payoutProvider, each)));
    if (claimed.length < AT_ONCE) return;
  }
}

async function carry(deps: CarryDeps, provider: PayoutProvider, { row, was }: ClaimedPayout): Promise<void> {
  const news = was === 'PENDING' ? await send(deps, provider, row) : await ask(deps, provider, row);
  await settlePayout(deps, { providerReference: row.providerReference, news });
  tellOfLongUnknown(deps, row, news);
}

async function send(deps: CarryDeps, provider: PayoutProvider, row: PayoutRow): Promise<PayoutNews> {
  // Whoever froze the wallet since it was ordered still stops it. From here on nobody does.
  const status = await sourceStatusOf(deps.db, row.transactionId);
  if (status === 'PND') return { state: 'STOPPED', reason: 'WALLET_PND' };
  if (status === 'Blocked') return { state: 'STOPPED', reason: 'WALLET_BLOCKED' };
  return heard(deps, row, provider.send(orderOf(deps, row)));
}

/** Asks the provider what has become of a payout. */
export async function ask(
  deps: Pick<CarryDeps, 'keyring' | 'log'>,
  provider: PayoutProvider,
  row: PayoutRow,
): Promise<PayoutNews> {
  if (row.provider !== provider.name) {
    deps.log.error({ payout: row.id, provider: row.provider }, 'the provider of a payout is not configured any more');
    return { state: 'UNKNOWN' };
  }
  return heard(deps, row, provider.verify(orderOf(deps, row), row.sentAt ?? row.createdAt));
}

/** What a provider answered. Whatever goes wrong, the payout may have been made. */
async function heard(
  { log }: Pick<CarryDeps, 'log'>,
  row: PayoutRow,
  answer: Promise<PayoutNews>,
): Promise<PayoutNews> {
  try {
    return await answer;
  } catch (err) {
    if (err instanceof PayoutNotSent) {
      log.warn({ err, payout: row.id }, 'a payout could not be sent; it will be tried again');
      return { state: 'NOT_SENT' };
    }
    const about = { err, payout: row.id };
    if (err instanceof PayoutUnknown)
      log.warn(about, 'nobody knows what became of a payout; its provider will be asked');
    else log.error(about, 'a payout failed in a way that it should not; its provider will be asked');
    return { state: 'UNKNOWN' };
  }
}

const orderOf = ({ keyring }: Pick<CarryDeps, 'keyring'>, row: PayoutRow): PayoutOrder => {
  const { accountNumber, bankCode, accountName } = openPayoutAccount(keyring, row);
  return {
    reference: row.providerReference,
    amount: row.amount,
    accountNumber,
    bankCode,
    accountName,
    narration: NARRATION,
  };
};

function tellOfLongUnknown({ clock, log }: CarryDeps, row: PayoutRow, news: PayoutNews): void {
  if (news.state !== 'UNKNOWN' || row.sentAt === null) return;
  if (clock.now().getTime() - row.sentAt.getTime() < HOUR_MS) return;
  log.error({ payout: row.id }, 'a payout is of unknown end for an hour or more: ask its provider, and mark it');
}
