import { DomainError } from '#lib/domain-error.ts';
import { findFloat } from '#modules/ledger';
import { findPartner } from '#modules/partners';
import { findWallet, type Transaction } from '#modules/wallets';
import type { Resources } from '../../resources.ts';
import { chargesOn } from './charges.ts';
import { type Arrival, CURRENCY, isNew, receiveMoney } from './receive-money.ts';
import { receivedTransaction, walletBalances } from './received-transaction.ts';
import type { Report } from './report.ts';
import { tellStatus } from './status-event.ts';

export interface GatewayPayment extends Report {
  partnerId: string;
  /** The wallet of this partner that it goes to; none: the float. */
  walletReference?: string | undefined;
}

/**
 * Takes in what a payment gateway received for a partner, and tells the partner. The reference is the partner's.
 *
 * @throws DomainError PARTNER_NOT_FOUND, WALLET_NOT_FOUND, REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function reportGatewayPayment(
  { db, config, publicUrl, wake }: Pick<Resources, 'db' | 'config' | 'publicUrl' | 'wake'>,
  { partnerId, walletReference, ...report }: GatewayPayment,
): Promise<Transaction> {
  const [partner, float] = [await findPartner(db, partnerId), await findFloat(db, partnerId, CURRENCY)];
  if (partner === undefined || float === undefined) {
    throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  }
  const wallet =
    walletReference === undefined ? undefined : await findWallet(db, { partnerId, reference: walletReference });
  const arrival: Arrival = {
    ...report,
    type: 'PARTNER_GATEWAY',
    owner: partnerId,
    partner: partnerId,
    charges: chargesOn(report.amount, { fee: config.FEE_PARTNER_GATEWAY, commission: config.FEE_COMMISSION }),
    destination: wallet?.account ?? float.id,
    target: { walletReference },
  };
  const recipient = wallet?.reference ?? partner.name;

  const outcome = await db.transaction(async (tx) => {
    const received = await receiveMoney(tx, arrival);
    if (isNew(received)) {
      const transaction = receivedTransaction(received, arrival);
      await tellStatus(tx, transaction, { partnerId, sender: report.sender, recipient, publicUrl });
    }
    return received;
  });
  const transaction = receivedTransaction(outcome, arrival);
  wake();
  return wallet === undefined ? transaction : { ...transaction, ...walletBalances(outcome, wallet.account) };
}
