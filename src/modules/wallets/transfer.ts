import type { Logger } from 'pino';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { notePayment } from '#modules/beneficiaries';
import { findPayee } from '#modules/customers';
import { asMinor, balancesOf, type Posted, type Poster, type Posting } from '#modules/ledger';
import { readTransaction } from './get-transaction.ts';
import { selectByCustomer, selectPrimary } from './store.ts';
import { type Transaction, toTransaction } from './transaction.ts';
import { type TransferRequest, type TransferRules, transferPosting } from './transfer-posting.ts';
import { walletNotFound } from './view-wallet.ts';

export interface Transfer extends TransferRequest {
  /** Whom it is for. */
  paytag: string;
}

/**
 * Pays a PayTag out of a customer's wallet, into the primary wallet of whoever has it.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, PAYTAG_SUSPENDED, SELF_TRANSFER, WALLET_NOT_FOUND, AMOUNT_TOO_SMALL,
 *   REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function transfer(
  { db, poster, log, ...rules }: { db: Database; poster: Poster; log: Logger } & TransferRules,
  { paytag, ...request }: Transfer,
): Promise<Transaction> {
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

  const parties = { sender: sender.account.id, receiver: receiver.account.id, senderTier: sender.wallet.tier };
  const posting = transferPosting(request, parties, rules);
  const posted = await poster.post(payee.isSuspended ? { ...posting, predecidedRefusal: 'PAYTAG_SUSPENDED' } : posting);
  if (!posted.replayed) {
    const { partnerId, customerId } = request;
    const payment = { partnerId, customerId, payeeId: payee.customerId, paidAt: posted.createdAt };
    // The money has moved: whatever becomes of the note, that is the answer.
    await notePayment(db, payment).catch((err: unknown) => log.warn({ err }, 'a beneficiary was not noted'));
    return transferred(posting, posted);
  }
  const first = toTransaction(await readTransaction(db, { partnerId: request.partnerId, id: posted.id }));
  return { ...first, status: posted.status };
}

function transferred(posting: Posting, posted: Posted): Transaction {
  const { opening, closing } = balancesOf(posted, posting.source);
  const { type, amount, fee = asMinor(0n), stampDuty = asMinor(0n) } = posting;
  return {
    id: posted.id,
    type,
    amount,
    fee,
    commission: asMinor(0n),
    net: asMinor(amount - stampDuty),
    currency: posting.currency,
    status: posted.status,
    reference: posting.reference,
    externalReference: posting.externalReference,
    comment: posting.comment,
    openingBalance: opening,
    closingBalance: closing,
    createdAt: posted.createdAt,
    completedAt: posted.createdAt,
  };
}
