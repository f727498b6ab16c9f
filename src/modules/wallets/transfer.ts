import type { Pool } from 'pg';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, readRow } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { assertPayee, normalPayTag } from '#modules/customers';
import { assertPosted, countPosting, createPostingCall, type Posted, type Poster, type Posting } from '#modules/ledger';
import { requestOf, type TransferRequest, type TransferRules, transferPosting } from './transfer-posting.ts';
import { selectTransferParties } from './transfer-store.ts';
import { walletRoute } from './wallet-route.ts';
import { answerAsBefore, readAsPosted, transactionOf, type WalletTransaction } from './wallet-transaction.ts';
import { walletNotFound } from './wallet-view.ts';

/** Moves money from one customer to another. */
export interface Transfers {
  /**
   * Posts as `Poster.post` does, and records in the same database transaction whom the posting's owner has paid. What comes at
   * the same time shares it.
   *
   * @throws DomainError with the code of the refusal; BUSY when too many wait already
   */
  make(posting: Posting, payeeId: string): Promise<Posted>;
}

/** @param committed called after each commit: there are events */
export function createTransfers(
  pool: Pool,
  poster: Pick<Poster, 'json'>,
  committed: () => void,
  metrics: Meter = noMeter,
): Transfers {
  const call = createPostingCall(pool, { name: 'wallets.transfer', poolShare: 0.5, committed, metrics });
  return {
    async make(posting, payeeId) {
      const member = `{"payee":${JSON.stringify(payeeId)},"posting":${poster.json(posting)}}`;
      const result = await call(posting.partner ?? posting.owner, member);
      countPosting(metrics, posting, result);
      return assertPosted(result);
    },
  };
}

/**
 * Pays the customer who has a PayTag, into their primary wallet, out of another customer's wallet. Whom they paid is
 * recorded with it.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, PAYTAG_SUSPENDED, SELF_TRANSFER, WALLET_NOT_FOUND, AMOUNT_TOO_SMALL,
 *   REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function transfer(
  { db, keyring, transfers, ...rules }: { db: Database; keyring: Keyring; transfers: Transfers } & TransferRules,
  request: TransferRequest,
): Promise<WalletTransaction> {
  const { partnerId } = request;
  const parties = await partiesOf(db, keyring, request);
  if (parties instanceof DomainError) return answerAsBefore(db, partnerId, requestOf(request), parties);

  const { payee, accounts } = parties;
  const posting = transferPosting(request, accounts, rules);
  const decided = payee.isSuspended ? { ...posting, predecidedRefusal: 'PAYTAG_SUSPENDED' as const } : posting;
  const posted = await transfers.make(decided, payee.customerId);
  if (posted.replayed) return readAsPosted(db, partnerId, posted);
  return transactionOf(posted, posting, accounts.sender);
}

/** Who pays whom now, or why nobody does. */
async function partiesOf(db: Database, keyring: Keyring, { partnerId, customerId, paytag }: TransferRequest) {
  const found = await selectTransferParties(db, { partnerId, customerId, handle: normalPayTag(paytag) });
  if (found === undefined || found.sender === null || found.senderTier === null) return walletNotFound();
  const { sender, senderTier, payee, receiver, isSuspended } = found;
  assertAuthentic(keyring, walletRoute, readRow(found.senderRoute));
  if (payee === null || receiver === null) return new DomainError('PAYTAG_NOT_FOUND', 'no customer has this PayTag');
  if (payee === customerId) return new DomainError('SELF_TRANSFER', 'paytag: this is the customer’s own PayTag');
  assertPayee(keyring, found.payeeRows);
  assertAuthentic(keyring, walletRoute, readRow(found.receiverRoute));
  return {
    payee: { customerId: payee, isSuspended: isSuspended === true },
    accounts: { sender, receiver, senderTier },
  };
}
