import { asMinor, assertPosted, type Minor, type Posted, type PostingResult, systemAccount } from '#modules/ledger';
import type { Transaction } from '#modules/wallets';
import { type Arrival, CURRENCY } from './receive-money.ts';

/**
 * The transaction that an arrival has become. Its charges are those that were taken when it was posted, whatever is
 * configured now.
 *
 * @throws DomainError when it was refused
 */
export function receivedTransaction(outcome: PostingResult, arrival: Arrival): Transaction {
  const posted = assertPosted(outcome);
  const fee = takenAs(posted, 'FEE');
  const commission = takenAs(posted, 'COMMISSION');
  return {
    id: posted.id,
    type: arrival.type,
    amount: arrival.amount,
    fee,
    commission,
    net: asMinor(arrival.amount - fee - commission - takenAs(posted, 'STAMP_DUTY')),
    currency: CURRENCY,
    status: posted.status,
    reference: arrival.reference,
    externalReference: arrival.externalReference,
    comment: arrival.comment,
    metadata: arrival.metadata,
    createdAt: posted.createdAt,
    completedAt: posted.createdAt,
  };
}

/** The balances of a wallet around its transaction, to be shown with it; none where charges took everything. */
export function walletBalances(
  outcome: PostingResult,
  wallet: number,
): Pick<Transaction, 'openingBalance' | 'closingBalance'> {
  const entry = assertPosted(outcome).entries.find(({ account }) => account === wallet);
  return { openingBalance: entry?.opening ?? undefined, closingBalance: entry?.closing ?? undefined };
}

const takenAs = ({ entries }: Posted, kind: 'FEE' | 'COMMISSION' | 'STAMP_DUTY'): Minor =>
  entries.find(({ account }) => account === systemAccount(kind, CURRENCY))?.amount ?? asMinor(0n);
