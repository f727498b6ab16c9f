import type { PagePart, Shown } from '../reads/shown.ts';
import { approvalPage, approvalsPage } from './approval.ts';
import { auditPage } from './audit.ts';
import { customerPage } from './customer.ts';
import { deliveryPage } from './delivery.ts';
import { ledgerCheckPage } from './ledger-check.ts';
import { overviewPage } from './overview.ts';
import { partnerPage } from './partner.ts';
import { receiverPage, receiversPage } from './receiver.ts';
import { settingsPage } from './settings.ts';
import { transactionPage } from './transaction.ts';
import { partOfWalletPage, walletHistoryPage, walletPage } from './wallet.ts';

/** The reads whose pages are made for what they show; all others have one made from the list of operations. */
export const designed: Readonly<Record<string, (shown: Shown) => Promise<PagePart> | PagePart>> = {
  checkLedger: ledgerCheckPage,
  getApproval: approvalPage,
  getCustomer: customerPage,
  getDelivery: deliveryPage,
  getOverview: (shown) => overviewPage({ ...shown, columns: shown.operation.columns }),
  getPartner: partnerPage,
  getReceiver: receiverPage,
  getSettings: settingsPage,
  getTransaction: transactionPage,
  getWallet: walletPage,
  listApprovals: approvalsPage,
  listAuditRecords: auditPage,
  listReceivers: receiversPage,
  listWalletHistory: walletHistoryPage,
  listWalletHolds: partOfWalletPage,
  listWalletLiens: partOfWalletPage,
};
