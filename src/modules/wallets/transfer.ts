import type { Logger } from 'pino';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { recordBeneficiary } from '#modules/beneficiaries';
import { findPayee } from '#modules/customers';
import type { Poster } from '#modules/ledger';
import { selectByCustomer, selectPrimary } from './store.ts';
import { type TransferRequest, type TransferRules, transferPosting } from './transfer-posting.ts';
import { transactionOf, type WalletTransaction } from './wallet-transaction.ts';
import { walletNotFound } from './wallet-view.ts';

export interface Transfer extends TransferRequest {
  /** The payee's. */
  paytag: string;
}

/**
 * Pays the customer who has a PayTag, into their primary wallet, out of another customer's wallet.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, PAYTAG_SUSPENDED, SELF_TRANSFER, WALLET_NOT_FOUND, AMOUNT_TOO_SMALL,
 *   REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function transfer(
  { db, poster, log, ...rules }: { db: Database; poster: Poster; log: Logger } & TransferRules,
  { paytag, ...request }: Transfer,
): Promise<WalletTransaction> {
  const sender = await selectByCustomer(db, request.partnerId, request.customerId);
  if (sender === undefined) throw walletNotFound();
  const payee = await findPayee(db, paytag);
  const receiver = payee && (await selectPrimary(db, payee.customerId));
  if (payee === undefined || receiver === undefined) {
    throw new DomainError('PAYTAG_NOT_FOUND', 'no customer has this PayTag');
  }
  if (payee.customerId === request.customerId) {
    throw new DomainError('SELF_TRANSFER', 'paytag: this is the customer’s own PayTag');
  }

  const accounts = { sender: sender.account.id, receiver: receiver.account.id, senderTier: sender.wallet.tier };
  const posting = transferPosting(request, accounts, rules);
  const posted = await poster.post(payee.isSuspended ? { ...posting, predecidedRefusal: 'PAYTAG_SUSPENDED' } : posting);
  if (!posted.replayed) {
    const { partnerId, customerId } = request;
    const beneficiary = { partnerId, customerId, payeeId: payee.customerId, lastPaidAt: posted.createdAt };
    // The money has moved: the transfer has succeeded even when whom it paid could not be recorded.
    await recordBeneficiary(db, beneficiary).catch((err: unknown) =>
      log.warn({ err }, 'a beneficiary was not recorded'),
    );
  }
  return transactionOf(posted, posting, accounts.sender);
}
