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
import { openPayoutAccount } from './payout-account.ts';
import { getPayout, type PayoutView, payoutNotFound } from './payout-view.ts';
import { lockPayout, type PayoutParts, selectById, updatePayout } from './store.ts';

/** Who pays for it: the wallet that got its money back, or we, until somebody has explained it. */
export const correctionAccounts = ['WALLET', 'DIFFERENCE'] as const;
type CorrectionAccount = (typeof correctionAccounts)[number];

type Deps = {
  db: Database;
  keyring: Keyring;
  transact: Transact;
  poster: Poster;
  clock: { now(): Date };
  securityLog: SecurityLog;
};

/**
 * Books a payout that counts as failed and that its provider has paid all the same, as two operators have found out: a posting
 * of its own into the rail's clearing account, without charges. The payout stays FAILED. Done twice it answers as it did. Audited.
 *
 * @throws AlteredRecord where the payout is not as it was ordered
 * @throws DomainError PAYOUT_NOT_FOUND; PAYOUT_STATE_CONFLICT for one that has not failed, or that its provider paid and sent
 *   back; REFERENCE_REUSED for one that was corrected out of another account; what else the ledger refuses a debit for, e.g. INSUFFICIENT_FUNDS
 */
export async function correctPayout(
  deps: Deps,
  { id, account, reason, actor }: { id: string; account: CorrectionAccount; reason: string; actor: string },
): Promise<PayoutView> {
  const found = await selectById(deps.db, { id });
  if (found === undefined) throw payoutNotFound();
  await deps.transact(async (tx) => {
    const row = await lockPayout(tx, found.row.providerReference);
    if (row !== undefined) openPayoutAccount(deps.keyring, row);
    if (row?.state !== 'FAILED') {
      throw new DomainError(
        'PAYOUT_STATE_CONFLICT',
        `the payout is ${row?.state}: only one that has FAILED is corrected`,
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
    await updatePayout(tx, id, { correctionId: posted.id, contradiction: null, updatedAt: deps.clock.now() });
    await audit(tx, { id, actor, reason, account, amount: row.amount });
  });
  return getPayout(deps, id);
}

/** Under one reference, whoever is to pay: it is posted once. */
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
