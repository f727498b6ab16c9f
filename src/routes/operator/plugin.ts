import { requireOperator } from '#http/auth/operator.ts';
import { documented } from '#http/documented.ts';
import type { DepsOfEndpoints } from '#http/endpoint.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import { noStore } from '#http/no-store.ts';
import { operatorOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { getApplication } from './get-application.ts';
import { getApplications } from './get-applications.ts';
import { getAudit } from './get-audit.ts';
import { getDeliveries } from './get-deliveries.ts';
import { getDelivery } from './get-delivery.ts';
import { getLedgerCheck } from './get-ledger-check.ts';
import { getPartner } from './get-partner.ts';
import { getPartners } from './get-partners.ts';
import { getReceiver } from './get-receiver.ts';
import { getTag } from './get-tag.ts';
import { getWallet } from './get-wallet.ts';
import { getWallets } from './get-wallets.ts';
import { patchPartner } from './patch-partner.ts';
import { patchWallet } from './patch-wallet.ts';
import { postApplicationApprove } from './post-application-approve.ts';
import { postApplicationFund } from './post-application-fund.ts';
import { postApplicationRestore } from './post-application-restore.ts';
import { postApplicationSecretRotate } from './post-application-secret-rotate.ts';
import { postApplicationSuspend } from './post-application-suspend.ts';
import { postApplicationWebhookSecretRotate } from './post-application-webhook-secret-rotate.ts';
import { postDeliveriesReplay } from './post-deliveries-replay.ts';
import { postDeliveryResend } from './post-delivery-resend.ts';
import { postKeysRotate } from './post-keys-rotate.ts';
import { postPartnerFloat } from './post-partner-float.ts';
import { postPartnerKeys } from './post-partner-keys.ts';
import { postPartnerKeysRevoke } from './post-partner-keys-revoke.ts';
import { postPartnerRestore } from './post-partner-restore.ts';
import { postPartnerSettlement } from './post-partner-settlement.ts';
import { postPartnerSuspend } from './post-partner-suspend.ts';
import { postPartnerWebhookSecretRotate } from './post-partner-webhook-secret-rotate.ts';
import { postPartners } from './post-partners.ts';
import { postReceiverPause } from './post-receiver-pause.ts';
import { postReceiverResume } from './post-receiver-resume.ts';
import { postTagClose } from './post-tag-close.ts';
import { postTagRestore } from './post-tag-restore.ts';
import { postTagSuspend } from './post-tag-suspend.ts';
import { postTerminalSplits } from './post-terminal-splits.ts';
import { postTerminals } from './post-terminals.ts';
import { postTransactionRefund } from './post-transaction-refund.ts';
import { postTransactions } from './post-transactions.ts';
import { postWalletLienLift } from './post-wallet-lien-lift.ts';
import { postWalletLiens } from './post-wallet-liens.ts';
import { postWalletRevoke } from './post-wallet-revoke.ts';

const endpoints = [
  getTag,
  getApplications,
  getApplication,
  postApplicationApprove,
  postApplicationSuspend,
  postApplicationRestore,
  postApplicationSecretRotate,
  postTagSuspend,
  postTagRestore,
  postTagClose,
  postPartners,
  getPartners,
  getPartner,
  patchPartner,
  postPartnerSuspend,
  postPartnerRestore,
  postPartnerKeys,
  postPartnerKeysRevoke,
  postPartnerFloat,
  getDeliveries,
  getDelivery,
  postDeliveryResend,
  getReceiver,
  postReceiverPause,
  postReceiverResume,
  postDeliveriesReplay,
  postPartnerWebhookSecretRotate,
  postApplicationWebhookSecretRotate,
  postTerminals,
  postTerminalSplits,
  postTransactions,
  getLedgerCheck,
  getAudit,
  getWallets,
  getWallet,
  patchWallet,
  postPartnerSettlement,
  postApplicationFund,
  postTransactionRefund,
  postWalletLienLift,
  postWalletLiens,
  postWalletRevoke,
  postKeysRotate,
];

type Deps = DepsOfEndpoints<typeof endpoints> &
  Parameters<typeof requireOperator>[1] &
  Parameters<typeof honourIdempotencyKeys>[1];

/** The operator API: camelCase in and out, behind the operator's bearer token, as its description is. */
export const operatorPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  requireOperator(app, deps);
  await documented(app, {
    title: 'PayTag operator API',
    schemes: ['operator'],
    ofEveryRoute: { tags: ['Extension'], security: operatorOnly },
  });
  honourIdempotencyKeys(app, deps);
  for (const endpoint of endpoints) endpoint(app, deps);
};
