import { getAccounts } from './get-accounts.ts';
import { getApplications } from './get-applications.ts';
import { getApplicationsById } from './get-applications-by-id.ts';
import { getApprovals } from './get-approvals.ts';
import { getApprovalsById } from './get-approvals-by-id.ts';
import { getAudit } from './get-audit.ts';
import { getClaims } from './get-claims.ts';
import { getCustomers } from './get-customers.ts';
import { getCustomersById } from './get-customers-by-id.ts';
import { getDeliveries } from './get-deliveries.ts';
import { getDeliveriesById } from './get-deliveries-by-id.ts';
import { getDisputes } from './get-disputes.ts';
import { getDisputesById } from './get-disputes-by-id.ts';
import { getFederations } from './get-federations.ts';
import { getInbox } from './get-inbox.ts';
import { getInboxById } from './get-inbox-by-id.ts';
import { getKeys } from './get-keys.ts';
import { getLedgerCheck } from './get-ledger-check.ts';
import { getLedgerTrialBalance } from './get-ledger-trial-balance.ts';
import { getOperators } from './get-operators.ts';
import { getOperatorsMe } from './get-operators-me.ts';
import { getOperatorsSessions } from './get-operators-sessions.ts';
import { getOverview } from './get-overview.ts';
import { getPartners } from './get-partners.ts';
import { getPartnersById } from './get-partners-by-id.ts';
import { getPartnersDay } from './get-partners-day.ts';
import { getPayouts } from './get-payouts.ts';
import { getPayoutsById } from './get-payouts-by-id.ts';
import { getRails } from './get-rails.ts';
import { getRailsComparisons } from './get-rails-comparisons.ts';
import { getRailsComparisonsByDate } from './get-rails-comparisons-by-date.ts';
import { getReceivers } from './get-receivers.ts';
import { getReceiversByOwnerId } from './get-receivers-by-owner-id.ts';
import { getReconciliationImports } from './get-reconciliation-imports.ts';
import { getReconciliationImportsById } from './get-reconciliation-imports-by-id.ts';
import { getReconciliationItems } from './get-reconciliation-items.ts';
import { getRemittances } from './get-remittances.ts';
import { getRequests } from './get-requests.ts';
import { getSeals } from './get-seals.ts';
import { getSessions } from './get-sessions.ts';
import { getSettings } from './get-settings.ts';
import { getSplits } from './get-splits.ts';
import { getSuspense } from './get-suspense.ts';
import { getTags } from './get-tags.ts';
import { getTagsByTag } from './get-tags-by-tag.ts';
import { getTerminals } from './get-terminals.ts';
import { getTerminalsBySerialNumber } from './get-terminals-by-serial-number.ts';
import { getThrottles } from './get-throttles.ts';
import { getTransactions } from './get-transactions.ts';
import { getTransactionsByReference } from './get-transactions-by-reference.ts';
import { getWallets } from './get-wallets.ts';
import { getWalletsByReference } from './get-wallets-by-reference.ts';
import { getWalletsHistory } from './get-wallets-history.ts';
import { getWalletsHolds } from './get-wallets-holds.ts';
import { getWalletsLiens } from './get-wallets-liens.ts';

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
