import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { sourceStatusOf } from '#modules/ledger';
import {
  PayoutDiffers,
  PayoutNotSent,
  type PayoutOrder,
  type PayoutProvider,
  PayoutUnknown,
} from '../../providers/payout/port.ts';
import { openPayoutAccount } from './payout-account.ts';
import { type PayoutNews, type SettleDeps, settlePayout } from './settle-payout.ts';
import { claimDuePayouts, type PayoutRow, recordSent } from './store.ts';
import { tellPartner } from './tell-partner.ts';

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
  securityLog: SecurityLog;
  payouts: { leaseMs: number };
};

/**
 * Has the payouts that are due sent, and asks what became of those that were. Any number of processes may do so at once. When
 * one dies, another takes over after its lease: it sends what was not recorded as sent, and asks about what was. Nothing is sent
 * twice.
 *
 * @param closing aborted when this process is about to end: what is claimed and not asked for yet is handed back, and due at once
 */
export async function carryPayouts(deps: CarryDeps, closing?: AbortSignal): Promise<void> {
  const { db, clock, payouts, payoutProvider, log } = deps;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true) return;
    const now = clock.now();
    const until = new Date(now.getTime() + payouts.leaseMs);
    const isSending = payoutProvider !== undefined;
    const claimed = await claimDuePayouts(db, { now, until, limit: AT_ONCE, isSending });
    const carried = claimed.map(async (row) =>
      carry(deps, row, closing).catch((err: unknown) =>
        log.error({ err, payout: row.id }, 'a payout could not be carried on; whoever claims it next goes on'),
      ),
    );
    await Promise.all(carried);
    if (claimed.length < AT_ONCE) return;
  }
}

async function carry(deps: CarryDeps, row: PayoutRow, closing: AbortSignal | undefined): Promise<void> {
  const { payoutProvider: provider } = deps;
  const isToBeSent = row.state === 'PENDING' && provider !== undefined;
  const { news, isStill } = isToBeSent
    ? await send(deps, provider, row, closing)
    : { news: await ask(deps, provider, row), isStill: undefined };
  await settlePayout(deps, { providerReference: row.providerReference, news, isStill });
  tellOfLongUnknown(deps, row, news);
}

/** @returns what has become of it; `isStill` where that holds only so long as no other worker has taken it over */
async function send(
  deps: CarryDeps,
  provider: PayoutProvider,
  row: PayoutRow,
  closing: AbortSignal | undefined,
): Promise<{ news: PayoutNews; isStill: ((now: PayoutRow) => boolean) | undefined }> {
  const isStill = ({ attempts, state }: PayoutRow): boolean =>
    attempts === row.attempts && (state === 'PENDING' || state === 'SENT');
  let isRecorded = false;
  const order = orderIfAuthentic(deps, row);
  if (order === undefined) return { news: { state: 'NOT_SENT' }, isStill };
  // Whoever froze the wallet since it was ordered still stops it. From here on nobody does.
  const status = await sourceStatusOf(deps.db, row.transactionId);
  if (status === 'PND') return { news: { state: 'STOPPED', reason: 'WALLET_PND' }, isStill };
  if (status === 'Blocked') return { news: { state: 'STOPPED', reason: 'WALLET_BLOCKED' }, isStill };
  const record = async (): Promise<boolean> => {
    if (closing?.aborted === true) return false;
    const now = deps.clock.now();
    const until = new Date(now.getTime() + deps.payouts.leaseMs);
    isRecorded = await deps.transact(async (tx) => {
      const isSent = await recordSent(tx, row, { now, until, provider: provider.name });
      if (isSent) await tellPartner(tx, 'payout.sent', { ...row, sentAt: now });
      return isSent;
    });
    return isRecorded && deps.clock.now() < until;
  };
  try {
    const news = await heard(
      deps,
      row,
      async () => provider.send(order, record),
      () => isRecorded,
    );
    return { news, isStill: isRecorded ? undefined : isStill };
  } catch (err) {
    if (!(err instanceof PayoutNotSent)) throw err;
    if (closing?.aborted === true && !isRecorded) return { news: { state: 'HANDED_BACK' }, isStill };
    deps.log.warn({ err, payout: row.id }, 'a payout could not be sent; it will be tried again');
    return { news: { state: 'NOT_SENT' }, isStill };
  }
}

/**
 * Asks the provider what has become of a payout. However that goes, nothing is sent. What a provider carried that is not
 * configured any more stays unknown; what it said to have paid is not looked at once more.
 */
export async function ask(
  deps: Pick<CarryDeps, 'keyring' | 'log'>,
  provider: PayoutProvider | undefined,
  row: PayoutRow,
): Promise<PayoutNews> {
  const unknown = { state: 'UNKNOWN' } as const;
  if (row.provider !== provider?.name) {
    if (row.state === 'SUCCESSFUL') return { state: 'SUCCESSFUL' };
    deps.log.error({ payout: row.id, provider: row.provider }, 'the provider of a payout is not configured any more');
    return unknown;
  }
  try {
    return await heard(deps, row, async () => provider.verify(orderOf(deps, row), row.sentAt ?? row.createdAt));
  } catch (err) {
    deps.log.warn({ err, payout: row.id }, 'a payout could not be asked about; it will be tried again');
    return unknown;
  }
}

/** What a provider answered. Whatever else goes wrong, the payout may have been made, if it was asked for. @throws PayoutNotSent */
async function heard(
  { log }: Pick<CarryDeps, 'log'>,
  row: PayoutRow,
  answer: () => Promise<PayoutNews>,
  wasAskedFor = (): boolean => true,
): Promise<PayoutNews> {
  try {
    return await answer();
  } catch (err) {
    if (err instanceof PayoutNotSent) throw err;
    if (!wasAskedFor()) throw new PayoutNotSent('it could not be asked for', { cause: err });
    const about = { err, payout: row.id };
    if (err instanceof PayoutDiffers) {
      log.error(about, 'the provider has another payment under the reference of a payout: ask it, and mark the payout');
      return { state: 'DIFFERENT' };
    }
    if (err instanceof PayoutUnknown)
      log.warn(about, 'nobody knows what became of a payout; its provider will be asked');
    else log.error(about, 'a payout failed in a way that it should not; its provider will be asked');
    return { state: 'UNKNOWN' };
  }
}

/** What is to be sent; undefined where the payout is not as it was ordered: then nothing is, and its money stays held until operators decide. */
function orderIfAuthentic({ keyring, log, securityLog }: CarryDeps, row: PayoutRow): PayoutOrder | undefined {
  try {
    return orderOf({ keyring }, row);
  } catch (err) {
    if (!(err instanceof AlteredRecord)) throw err;
    securityLog.record('stored_record_altered', { record: err.record });
    log.error({ err, payout: row.id }, 'a payout is not as it was ordered: it is not sent');
    return undefined;
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
