import { requirePartner } from '#http/auth/partner.ts';
import { noStore } from '#http/headers.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { deleteWebhookEndpoints } from './delete-webhook-endpoints.ts';
import { getDay } from './get-day.ts';
import { getDispute } from './get-dispute.ts';
import { getDisputeById } from './get-dispute-by-id.ts';
import { getFloat } from './get-float.ts';
import { getTerminalSplit } from './get-terminal-split.ts';
import { getTerminalSplits } from './get-terminal-splits.ts';
import { getTransaction } from './get-transaction.ts';
import { getWallet } from './get-wallet.ts';
import { getWalletAccount } from './get-wallet-account.ts';
import { getWalletByReference } from './get-wallet-by-reference.ts';
import { getWalletHistory } from './get-wallet-history.ts';
import { getWebhook } from './get-webhook.ts';
import { getWebhookDeliveries } from './get-webhook-deliveries.ts';
import { getWebhookDeliveriesById } from './get-webhook-deliveries-by-id.ts';
import { getWebhookEndpoints } from './get-webhook-endpoints.ts';
import { getWebhookEndpointsById } from './get-webhook-endpoints-by-id.ts';
import { patchWebhookEndpoints } from './patch-webhook-endpoints.ts';
import { postDisputeEvidence } from './post-dispute-evidence.ts';
import { postPaytag } from './post-paytag.ts';
import { postPaytagBvn } from './post-paytag-bvn.ts';
import { postTerminalSplit } from './post-terminal-split.ts';
import { postTerminalSplitCancel } from './post-terminal-split-cancel.ts';
import { postTransactionRefund } from './post-transaction-refund.ts';
import { postWallet } from './post-wallet.ts';
import { postWalletAccount } from './post-wallet-account.ts';
import { postWalletCredit } from './post-wallet-credit.ts';
import { postWalletDebit } from './post-wallet-debit.ts';
import { postWalletPayout } from './post-wallet-payout.ts';
import { postWebhookDeliveriesResend } from './post-webhook-deliveries-resend.ts';
import { postWebhookEndpoints } from './post-webhook-endpoints.ts';
import { postWebhookEndpointsPause } from './post-webhook-endpoints-pause.ts';
import { postWebhookEndpointsResume } from './post-webhook-endpoints-resume.ts';
import { postWebhookEndpointsSecretRotate } from './post-webhook-endpoints-secret-rotate.ts';
import { postWebhookEndpointsTest } from './post-webhook-endpoints-test.ts';
import { postWebhookPause } from './post-webhook-pause.ts';
import { postWebhookPortal } from './post-webhook-portal.ts';
import { postWebhookReplay } from './post-webhook-replay.ts';
import { postWebhookResume } from './post-webhook-resume.ts';
import { postWebhookSecretRotate } from './post-webhook-secret-rotate.ts';
import { postWebhookTest } from './post-webhook-test.ts';
import { putWebhook } from './put-webhook.ts';
import { putWebhookContact } from './put-webhook-contact.ts';

const endpoints = [
  postPaytag,
  postPaytagBvn,
  postWallet,
  postWalletCredit,
  postWalletDebit,
  postWalletPayout,
  postWalletAccount,
  getWalletAccount,
  getTerminalSplits,
  getTerminalSplit,
  postTerminalSplit,
  postTerminalSplitCancel,
  getFloat,
  getDispute,
  getDisputeById,
  postDisputeEvidence,
  getDay,
  getTransaction,
  getWallet,
  getWalletHistory,
  getWalletByReference,
  postTransactionRefund,
  getWebhook,
  putWebhook,
  putWebhookContact,
  postWebhookTest,
  getWebhookDeliveries,
  getWebhookDeliveriesById,
  postWebhookDeliveriesResend,
  postWebhookReplay,
  postWebhookPortal,
  postWebhookPause,
  postWebhookResume,
  postWebhookSecretRotate,
  getWebhookEndpoints,
  getWebhookEndpointsById,
  postWebhookEndpoints,
  patchWebhookEndpoints,
  deleteWebhookEndpoints,
  postWebhookEndpointsPause,
  postWebhookEndpointsResume,
  postWebhookEndpointsTest,
  postWebhookEndpointsSecretRotate,
];

type Deps = DepsOfEndpoints<typeof endpoints> &
  Parameters<typeof requirePartner>[1] &
  Parameters<typeof honourIdempotencyKeys>[1];

/** The partner API: PayTags and partner-scoped wallets. */
export const partnerPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  requirePartner(app, deps);
  honourIdempotencyKeys(app, deps);
  for (const endpoint of endpoints) endpoint(app, deps);
};
