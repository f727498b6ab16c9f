import { sha256 } from '#lib/crypto/digest.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import type { Charge, Poster } from '#modules/ledger';
import { ALL_PARTNERS } from '#modules/ledger';
import { findWalletByNuban, type WalletTransaction } from '#modules/wallets';
import { chargesOn } from './charges.ts';
import { receiveMoney } from './receive-money.ts';
import type { Report } from './report.ts';

export interface InboundPayment extends Report {
  /** The account number it was sent to. */
  nuban: string;
}

/**
 * Credits the wallet of an account number with what arrived for it by bank transfer, less stamp duty. `reference` is the
 * rails' own; ours is derived from it, so that a transfer is booked once. What the wallet does not take waits in suspense.
 *
 * @throws DomainError WALLET_NOT_FOUND, REFERENCE_REUSED
 */
export async function reportInbound(
  { transact, poster, db, fees }: { db: Database; transact: Transact; poster: Poster; fees: { stampDuty: Charge } },
  { nuban, ...report }: InboundPayment,
): Promise<WalletTransaction> {
  const wallet = await findWalletByNuban(db, nuban);
  const arrival = {
    ...report,
    type: 'INBOUND',
    owner: ALL_PARTNERS,
    partner: wallet.partnerId,
    reference: ourReference(report.reference),
    externalReference: report.reference,
    charges: chargesOn(report.amount, { stampDuty: fees.stampDuty }),
    destination: wallet.account,
    target: { wallet: wallet.reference },
  } as const;
  const { transaction } = await transact((tx) => receiveMoney(tx, poster, arrival, wallet.account));
  return transaction;
}

/** Our reference of a bank transfer: the same whenever the rails give the same reference. */
export const ourReference = (theirs: string): string => `INB-${sha256(theirs).toString('hex').slice(0, 32)}`;
