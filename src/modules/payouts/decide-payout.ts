import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import {
  ALL_PARTNERS,
  asMinor,
  assertPosted,
  negated,
  type Poster,
  type Posting,
  systemAccount,
} from '#modules/ledger';
import type { PayoutProvider } from '../../providers/payout/port.ts';
import { getPayout, type PayoutView, payoutNotFound } from './find-payouts.ts';
import { openPayoutAccount } from './payout-account.ts';
import { pollProvider } from './send-payouts.ts';
import { type PayoutResult, type SettleDeps, settlePayout } from './settle-payout.ts';
import { lockPayout, type PayoutParts, type PayoutRow, selectById, updatePayout } from './store.ts';

type DecidePayoutDeps = SettleDeps & {
  db: Database;
  keyring: Keyring;
  securityLog: SecurityLog;
  payoutProvider: PayoutProvider | undefined;
};

/**
 * Polls the provider now, and books the result. Audited.
 *
 * @throws DomainError PAYOUT_NOT_FOUND; PAYOUT_STATE_CONFLICT for one that was not sent, or has ended otherwise than successful
 *   without a contradiction; PROVIDER_NOT_CONFIGURED
 */
export async function verifyPayout(
  deps: DecidePayoutDeps,
  { id, actor, reason }: { id: string; actor: string; reason?: string | undefined },
): Promise<PayoutView> {
  const row = await rowOf(deps.db, id);
  const { payoutProvider } = deps;
  if (payoutProvider === undefined) {
    throw new DomainError('PROVIDER_NOT_CONFIGURED', 'this installation has no provider of payouts');
  }
  const isOpen = ['SENT', 'UNKNOWN', 'SUCCESSFUL'].includes(row.state);
  if (!isOpen && row.contradiction === null) throw conflict(row, 'there is nothing to poll');
  const result = await pollProvider(deps, payoutProvider, row);
  const settled = await settlePayout(deps, { providerReference: row.providerReference, result });
  const [before, after] = [{ state: row.state }, { state: settled?.state ?? row.state }];
  await deps.transact(async (tx) =>
    recordChange(tx, { actor, action: 'payout.verify', target: id, before, after, reason }),
  );
  return getPayout(deps, id);
}

/**
 * Books the outcome that two operators have found out, e.g. by telephone, for a payout with an unknown outcome. Or fails one that
 * was not sent yet. Audited.
 *
 * @throws AlteredRecord where the stored payout was altered
 * @throws DomainError PAYOUT_NOT_FOUND; PAYOUT_STATE_CONFLICT for one with a known outcome, or that is being sent
 */
export async function markPayout(
  deps: DecidePayoutDeps,
  { id, outcome, reason, actor }: { id: string; outcome: 'SUCCESSFUL' | 'FAILED'; reason: string; actor: string },
): Promise<PayoutView> {
  const row = await rowOf(deps.db, id);
  const check = (now: PayoutRow): void => {
    const isUnsent = now.state === 'PENDING' && outcome === 'FAILED';
    if (now.state !== outcome && now.state !== 'UNKNOWN' && !isUnsent) {
      throw conflict(now, 'only an UNKNOWN payout can be marked, or a PENDING one as FAILED');
    }
  };
  check(row);
  openPayoutAccount(deps.keyring, row);
  await settlePayout(deps, {
    providerReference: row.providerReference,
    check,
    result: resultOf(row, outcome),
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

/** The operators' outcome as a result. */
function resultOf({ state }: PayoutRow, outcome: 'SUCCESSFUL' | 'FAILED'): PayoutResult {
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

/** The payer of a correction: the wallet that got its money back, or we, until the difference is explained. */
export const correctionAccounts = ['WALLET', 'DIFFERENCE'] as const;

type CorrectionAccount = (typeof correctionAccounts)[number];

type CorrectPayoutDeps = {
  db: Database;
  keyring: Keyring;
  transact: Transact;
  poster: Poster;
  clock: { now(): Date };
  securityLog: SecurityLog;
};

/**
 * Books a FAILED payout that its provider has paid all the same, as two operators have found out: by a separate posting into the
 * rail's clearing account, without charges. The payout stays FAILED. A repeated call answers the same. Audited.
 *
 * @throws AlteredRecord where the stored payout was altered
 * @throws DomainError PAYOUT_NOT_FOUND; PAYOUT_STATE_CONFLICT for one that has not failed, or that its provider paid and sent
 *   back; REFERENCE_REUSED for one that was corrected out of another account; the ledger's refusals of a debit, e.g. INSUFFICIENT_FUNDS
 */
export async function correctPayout(
  deps: CorrectPayoutDeps,
  { id, account, reason, actor }: { id: string; account: CorrectionAccount; reason: string; actor: string },
): Promise<PayoutView> {
  const found = await selectById(deps.db, { id });
  if (found === undefined) throw payoutNotFound();
  await deps.transact(async (tx) => {
    const row = await lockPayout(tx, { providerReference: found.row.providerReference });
    if (row !== undefined) openPayoutAccount(deps.keyring, row);
    if (row?.state !== 'FAILED') {
      throw new DomainError(
        'PAYOUT_STATE_CONFLICT',
        `the payout is ${row?.state}: only a FAILED payout can be corrected`,
      );
    }
    if (row.correctionId === null && row.contradiction === 'REVERSED') {
      throw new DomainError(
        'PAYOUT_STATE_CONFLICT',
        'the payout was sent back by its provider: there is nothing to correct',
      );
    }
    const posted = assertPosted(await deps.poster.tryPost(tx, correctionOf(found, account)));
    if (row.correctionId !== null) return;
    await updatePayout(tx, { correctionId: posted.id, contradiction: null, updatedAt: deps.clock.now() }, { id });
    await audit(tx, { id, actor, reason, account, amount: row.amount });
  });
  return getPayout(deps, id);
}

/** One reference for every payer, so that it is posted once. */
function correctionOf({ row, transaction }: PayoutParts, account: CorrectionAccount): Posting {
  const isWallets = account === 'WALLET';
  const source = isWallets ? transaction.sourceId : systemAccount('DIFFERENCE', 'NGN');
  if (source === null) throw new Error(`the transaction of payout ${row.id} has no source`);
  const destination = systemAccount('CLEARING_PAYOUT', 'NGN');
  const [type, amount] = ['PAYOUT_CORRECTION', asMinor(row.amount)] as const;
  return {
    owner: ALL_PARTNERS,
    namer: 'OPERATOR',
    reference: `${row.providerReference}-corrected`,
    partner: isWallets ? row.partnerId : undefined,
    type,
    amount,
    currency: 'NGN',
    source,
    destination,
    externalReference: transaction.reference,
    legs: [
      { account: source, amount: negated(amount) },
      { account: destination, amount },
    ],
    request: { type, payout: row.id, account },
  };
}

const audit = async (
  tx: Tx,
  {
    id,
    actor,
    reason,
    account,
    amount,
  }: { id: string; actor: string; reason: string; account: CorrectionAccount; amount: bigint },
): Promise<void> =>
  recordChange(tx, { actor, action: 'payout.correct', target: id, after: { account, amount: String(amount) }, reason });
