import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findPartner } from '#modules/clients';
import type { Charge, Poster } from '#modules/ledger';
import { findFloat } from '#modules/ledger';
import { findWallet, type WalletTransaction } from '#modules/wallets';
import { chargesOn } from './charges.ts';
import { nameReport } from './name-report.ts';
import { CURRENCY, receiveMoney } from './receive-money.ts';
import type { Report } from './report.ts';
import { publishStatus } from './status-event.ts';

export interface GatewayPayment extends Report {
  partnerId: string;
  /** The wallet of this partner that it goes to; absent: the float. */
  walletReference?: string | undefined;
}

/**
 * Books what a payment gateway received for a partner, and notifies the partner. The reference is unique among those that
 * rails give for this partner. Nothing but what is unknown is refused: what the wallet does not take waits in suspense, and
 * the partner is notified once it is credited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, WALLET_NOT_FOUND, REFERENCE_REUSED
 */
export async function reportGatewayPayment(
  {
    transact,
    poster,
    db,
    keyring,
    fees,
    publicUrl,
  }: {
    db: Database;
    keyring: Keyring;
    transact: Transact;
    poster: Poster;
    fees: { commission: Charge; gateway: Charge };
    publicUrl: string;
  },
  { partnerId, walletReference, ...report }: GatewayPayment,
): Promise<WalletTransaction> {
  const [partner, float] = [await findPartner(db, partnerId), await findFloat(db, keyring, partnerId, CURRENCY)];
  if (partner === undefined || float === undefined) {
    throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  }
  const wallet =
    walletReference === undefined
      ? undefined
      : await findWallet(db, keyring, { partnerId, reference: walletReference });
  return transact(async (tx) => {
    const arrival = {
      ...report,
      ...(await nameReport(tx, { partnerId, reference: report.reference })),
      type: 'PARTNER_GATEWAY',
      owner: partnerId,
      partner: partnerId,
      charges: chargesOn(report.amount, { fee: fees.gateway, commission: fees.commission }),
      destination: wallet?.account ?? float.id,
      target: { walletReference },
    } as const;
    const { transaction, isNew } = await receiveMoney(tx, poster, arrival, wallet?.account);
    if (isNew && transaction.status === 'Successful') {
      const recipient = wallet?.reference ?? partner.name;
      await publishStatus(tx, transaction, { partnerId, sender: report.sender, recipient, publicUrl });
    }
    return transaction;
  });
}
