import { getApplications, getApplicationsById } from './applications.ts';
import { getApprovals, getApprovalsById } from './approvals.ts';
import { getAudit, getRequests } from './audit.ts';
import { getCustomers, getCustomersById } from './customers.ts';
import { getDeliveries, getDeliveriesById } from './deliveries.ts';
import { getDisputes, getDisputesById } from './disputes.ts';
import { getInbox, getInboxById } from './inbox.ts';
import { getKeys } from './keys.ts';
import { getAccounts, getLedgerCheck, getLedgerTrialBalance, getSeals } from './ledger.ts';
import { getOperators, getOperatorsMe, getOperatorsSessions } from './operators.ts';
import { getOverview, getSettings } from './overview.ts';
import { getPartners, getPartnersById, getPartnersDay } from './partners.ts';
import { getPayouts, getPayoutsById } from './payouts.ts';
import { getRails, getRailsComparisons, getRailsComparisonsByDate } from './rails.ts';
import { getReceivers, getReceiversByOwnerId } from './receivers.ts';
import { getReconciliationImports, getReconciliationImportsById, getReconciliationItems } from './reconciliation.ts';
import { getSessions, getThrottles } from './sessions.ts';
import { getRemittances, getSuspense } from './suspense.ts';
import { getClaims, getFederations, getTags, getTagsByTag } from './tags.ts';
import { getSplits, getTerminals, getTerminalsBySerialNumber } from './terminals.ts';
import { getTransactions, getTransactionsByReference } from './transactions.ts';
import { getWallets, getWalletsByReference, getWalletsHistory, getWalletsHolds, getWalletsLiens } from './wallets.ts';

/** What only shows something. */
export const reads = [
  getTagsByTag,
  getClaims,
  getFederations,
  getTerminals,
  getTerminalsBySerialNumber,
  getSplits,
  getCustomersById,
  getOverview,
  getTags,
  getApplications,
  getApplicationsById,
  getPartners,
  getPartnersById,
  getPartnersDay,
  getDeliveries,
  getDeliveriesById,
  getDisputes,
  getDisputesById,
  getPayouts,
  getPayoutsById,
  getInbox,
  getInboxById,
  getRails,
  getRailsComparisons,
  getRailsComparisonsByDate,
  getReceivers,
  getReceiversByOwnerId,
  getReconciliationImports,
  getReconciliationImportsById,
  getReconciliationItems,
  getRequests,
  getTransactions,
  getLedgerCheck,
  getLedgerTrialBalance,
  getSeals,
  getAudit,
  getWallets,
  getWalletsByReference,
  getAccounts,
  getRemittances,
  getSuspense,
  getKeys,
  getCustomers,
  getApprovals,
  getApprovalsById,
  getOperators,
  getOperatorsMe,
  getOperatorsSessions,
  getSessions,
  getSettings,
  getThrottles,
  getTransactionsByReference,
  getWalletsHistory,
  getWalletsHolds,
  getWalletsLiens,
];
