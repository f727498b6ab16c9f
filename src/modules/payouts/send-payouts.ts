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
import { type PayoutResult, publishPayoutEvent, type SettleDeps, settlePayout } from './settle-payout.ts';
import { claimDuePayouts, type PayoutRow, recordSent } from './store.ts';

/** The payee sees it on the statement. */
const NARRATION = 'PayTag payout';

const AT_ONCE = 16;

/** The most batches of one run. */
const BATCHES_MAX = 25;

const HOUR_MS = 3_600_000;

export type SendDeps = SettleDeps & {
  db: Database;
  keyring: Keyring;
  payoutProvider: PayoutProvider | undefined;
  securityLog: SecurityLog;
  payouts: { leaseMs: number };
};

/**
 * Sends due payouts, and polls the provider about those that were sent. Several processes may do so at once. When one dies,
 * another takes over after its lease: it sends payouts that are not recorded as sent, and polls about the others. Nothing is
 * sent twice.
 *
 * @param closing aborted when this process is about to end: claimed payouts that are not sent yet are handed back, due at once
 */
export async function sendPayouts(deps: SendDeps, closing?: AbortSignal): Promise<void> {
  const { db, clock, payouts, payoutProvider, log } = deps;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true) return;
    const now = clock.now();
    const until = new Date(now.getTime() + payouts.leaseMs);
    const isSending = payoutProvider !== undefined;
    const claimed = await claimDuePayouts(db, { now, until, limit: AT_ONCE, isSending });
    const runs = claimed.map(async (row) =>
      sendOrPoll(deps, row, closing).catch((err: unknown) =>
        log.error(
          { event: 'payout.run_failed', err, payoutId: row.id },
          'sending the payout failed; the next worker retries',
        ),
      ),
    );
    await Promise.all(runs);
    if (claimed.length < AT_ONCE) return;
  }
}

async function sendOrPoll(deps: SendDeps, row: PayoutRow, closing: AbortSignal | undefined): Promise<void> {
  const { payoutProvider: provider } = deps;
  const isToBeSent = row.state === 'PENDING' && provider !== undefined;
  const { result, stillApplies } = isToBeSent
    ? await send(deps, provider, row, closing)
    : { result: await pollProvider(deps, provider, row), stillApplies: undefined };
  await settlePayout(deps, { providerReference: row.providerReference, result, stillApplies });
  logIfUnknownForLong(deps, row, result);
}

/** @returns the result; `stillApplies` where it holds only until another worker takes the payout over */
async function send(
  deps: SendDeps,
  provider: PayoutProvider,
  row: PayoutRow,
  closing: AbortSignal | undefined,
): Promise<{ result: PayoutResult; stillApplies: ((now: PayoutRow) => boolean) | undefined }> {
  const stillApplies = ({ attempts, state }: PayoutRow): boolean =>
    attempts === row.attempts && (state === 'PENDING' || state === 'SENT');
  let isRecorded = false;
  const order = orderIfAuthentic(deps, row);
  if (order === undefined) return { result: { state: 'NOT_SENT' }, stillApplies };
  // The last moment at which a frozen wallet stops its payout.
  const status = await sourceStatusOf(deps.db, row.transactionId);
  if (status === 'PND') return { result: { state: 'STOPPED', reason: 'WALLET_PND' }, stillApplies };
  if (status === 'Blocked') return { result: { state: 'STOPPED', reason: 'WALLET_BLOCKED' }, stillApplies };
  const record = async (): Promise<boolean> => {
    if (closing?.aborted === true) return false;
    const now = deps.clock.now();
    const until = new Date(now.getTime() + deps.payouts.leaseMs);
    isRecorded = await deps.transact(async (tx) => {
      const isSent = await recordSent(tx, row, { now, until, provider: provider.name });
      if (isSent) await publishPayoutEvent(tx, 'payout.sent', { ...row, sentAt: now });
      return isSent;
    });
    return isRecorded && deps.clock.now() < until;
  };
  try {
    const result = await resultOfCall(
      deps,
      row,
      async () => provider.send(order, record),
      () => isRecorded,
    );
    return { result, stillApplies: isRecorded ? undefined : stillApplies };
  } catch (err) {
    if (!(err instanceof PayoutNotSent)) throw err;
    if (closing?.aborted === true && !isRecorded) return { result: { state: 'HANDED_BACK' }, stillApplies };
    deps.log.warn({ event: 'payout.not_sent', err, payoutId: row.id }, 'a payout could not be sent; a worker retries');
    return { result: { state: 'NOT_SENT' }, stillApplies };
  }
}

/**
 * Polls the provider about a payout; never sends one. A payout of a provider that is no longer configured stays UNKNOWN, or
 * SUCCESSFUL without the second check.
 */
export async function pollProvider(
  deps: Pick<SendDeps, 'keyring' | 'log'>,
  provider: PayoutProvider | undefined,
  row: PayoutRow,
): Promise<PayoutResult> {
  const unknown = { state: 'UNKNOWN' } as const;
  if (row.provider !== provider?.name) {
    if (row.state === 'SUCCESSFUL') return { state: 'SUCCESSFUL' };
    const fields = { event: 'payout.provider_missing', payoutId: row.id, provider: row.provider };
    deps.log.error(fields, 'the provider of a payout is not configured any more');
    return unknown;
  }
  try {
    return await resultOfCall(deps, row, async () => provider.verify(orderOf(deps, row), row.sentAt ?? row.createdAt));
  } catch (err) {
    deps.log.warn(
      { event: 'payout.poll_failed', err, payoutId: row.id },
      'polling the provider about a payout failed; a worker retries',
    );
    return unknown;
  }
}

/** The provider's answer. After any other failure the payout may have been paid, if it was sent. @throws PayoutNotSent */
async function resultOfCall(
  { log }: Pick<SendDeps, 'log'>,
  row: PayoutRow,
  answer: () => Promise<PayoutResult>,
  wasSent = (): boolean => true,
): Promise<PayoutResult> {
  try {
    return await answer();
  } catch (err) {
    if (err instanceof PayoutNotSent) throw err;
    if (!wasSent()) throw new PayoutNotSent('it could not be sent', { cause: err });
    const fields = { err, payoutId: row.id };
    if (err instanceof PayoutDiffers) {
      log.error(
        { event: 'payout.reference_taken', ...fields },
        'the provider has another payment under the reference of a payout: ask its support, then mark the payout',
      );
      return { state: 'DIFFERENT' };
    }
    if (err instanceof PayoutUnknown)
      log.warn(
        { event: 'payout.outcome_unknown', ...fields },
        'the outcome of a payout is unknown; a worker polls the provider',
      );
    else
      log.error(
        { event: 'payout.unexpected_error', ...fields },
        'a payout failed unexpectedly; a worker polls the provider',
      );
    return { state: 'UNKNOWN' };
  }
}

/** The order to send; undefined for an altered payout: its money stays held until operators decide. */
function orderIfAuthentic({ keyring, log, securityLog }: SendDeps, row: PayoutRow): PayoutOrder | undefined {
  try {
    return orderOf({ keyring }, row);
  } catch (err) {
    if (!(err instanceof AlteredRecord)) throw err;
    securityLog.record('stored_record_altered', { record: err.record });
    log.error({ event: 'payout.altered', err, payoutId: row.id }, 'the stored payout was altered, so it was not sent');
    return undefined;
  }
}

const orderOf = ({ keyring }: Pick<SendDeps, 'keyring'>, row: PayoutRow): PayoutOrder => {
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

function logIfUnknownForLong({ clock, log }: SendDeps, row: PayoutRow, result: PayoutResult): void {
  if (result.state !== 'UNKNOWN' || row.sentAt === null) return;
  const ageMs = clock.now().getTime() - row.sentAt.getTime();
  if (ageMs < HOUR_MS) return;
  log.error(
    { event: 'payout.unknown_overdue', payoutId: row.id, ageS: Math.floor(ageMs / 1_000) },
    'a payout has had no outcome for an hour: ask the provider, then mark it',
  );
}
