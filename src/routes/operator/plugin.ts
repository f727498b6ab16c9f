import { requireOperator } from '#http/auth/operator.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import { serveOpenApi } from '#http/openapi.ts';
import { operatorOnly } from '#http/openapi-meta.ts';
import { neverShed } from '#http/overload.ts';
import { noStore } from '#http/response-headers.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { maskForViewers } from './mask-for-viewers.ts';
import { patchOperators } from './patch-operators.ts';
import { patchPartners } from './patch-partners.ts';
import { patchWallets } from './patch-wallets.ts';
import { memberPermissions, permissions } from './permissions.ts';
import { postApplicationsApprove } from './post-applications-approve.ts';
import { postApplicationsFund } from './post-applications-fund.ts';
import { postApplicationsRestore } from './post-applications-restore.ts';
import { postApplicationsSecretRotate } from './post-applications-secret-rotate.ts';
import { postApplicationsSettlement } from './post-applications-settlement.ts';
import { postApplicationsSuspend } from './post-applications-suspend.ts';
import { postApplicationsWebhookSecretRotate } from './post-applications-webhook-secret-rotate.ts';
import { postApprovalsApprove } from './post-approvals-approve.ts';
import { postApprovalsReject } from './post-approvals-reject.ts';
import { postCustomersCorrect } from './post-customers-correct.ts';
import { postCustomersErase } from './post-customers-erase.ts';
import { postCustomersExport } from './post-customers-export.ts';
import { postCustomersFind } from './post-customers-find.ts';
import { postCustomersFreeze } from './post-customers-freeze.ts';
import { postCustomersHandBackBvn } from './post-customers-hand-back-bvn.ts';
import { postCustomersRelease } from './post-customers-release.ts';
import { postCustomersReveal } from './post-customers-reveal.ts';
import { postCustomersRevealById } from './post-customers-reveal-by-id.ts';
import { postCustomersSessionsEnd } from './post-customers-sessions-end.ts';
import { postDeliveriesReplay } from './post-deliveries-replay.ts';
import { postDeliveriesResend } from './post-deliveries-resend.ts';
import { postDisputes } from './post-disputes.ts';
import { postDisputesDecide } from './post-disputes-decide.ts';
import { postDisputesEvidence } from './post-disputes-evidence.ts';
import { postInboxCredit } from './post-inbox-credit.ts';
import { postInboxDismiss } from './post-inbox-dismiss.ts';
import { postInboxRetry } from './post-inbox-retry.ts';
import { postKeysRevoke } from './post-keys-revoke.ts';
import { postKeysRotate } from './post-keys-rotate.ts';
import { postOperators } from './post-operators.ts';
import { postOperatorsDisable } from './post-operators-disable.ts';
import { postOperatorsEnable } from './post-operators-enable.ts';
import { postOperatorsRotate } from './post-operators-rotate.ts';
import { postOperatorsSessionsEnd } from './post-operators-sessions-end.ts';
import { postPartners } from './post-partners.ts';
import { postPartnersFloat } from './post-partners-float.ts';
import { postPartnersKeys } from './post-partners-keys.ts';
import { postPartnersKeysRevoke } from './post-partners-keys-revoke.ts';
import { postPartnersRestore } from './post-partners-restore.ts';
import { postPartnersSettlement } from './post-partners-settlement.ts';
import { postPartnersSuspend } from './post-partners-suspend.ts';
import { postPartnersWebhookSecretRotate } from './post-partners-webhook-secret-rotate.ts';
import { postPayoutsCorrect } from './post-payouts-correct.ts';
import { postPayoutsMark } from './post-payouts-mark.ts';
import { postPayoutsVerify } from './post-payouts-verify.ts';
import { postRailsCompare } from './post-rails-compare.ts';
import { postReceiversPause } from './post-receivers-pause.ts';
import { postReceiversResume } from './post-receivers-resume.ts';
import { postReconciliationImports } from './post-reconciliation-imports.ts';
import { postReconciliationItemsResolve } from './post-reconciliation-items-resolve.ts';
import { postRemittances } from './post-remittances.ts';
import { postSearch } from './post-search.ts';
import { postSessionsEnd } from './post-sessions-end.ts';
import { postSuspenseResolve } from './post-suspense-resolve.ts';
import { postTagsClose } from './post-tags-close.ts';
import { postTagsRestore } from './post-tags-restore.ts';
import { postTagsSuspend } from './post-tags-suspend.ts';
import { postTerminals } from './post-terminals.ts';
import { postTerminalsSplits } from './post-terminals-splits.ts';
import { postThrottlesLift } from './post-throttles-lift.ts';
import { postTransactions } from './post-transactions.ts';
import { postTransactionsRefund } from './post-transactions-refund.ts';
import { postTransactionsReverse } from './post-transactions-reverse.ts';
import { postWalletsLiens } from './post-wallets-liens.ts';
import { postWalletsLiensLift } from './post-wallets-liens-lift.ts';
import { postWalletsRevoke } from './post-wallets-revoke.ts';
import { reads } from './reads.ts';

const endpoints = [
  ...reads,
  postSearch,
  postApplicationsApprove,
  postApplicationsSuspend,
  postApplicationsRestore,
  postApplicationsSecretRotate,
  postTagsSuspend,
  postTagsRestore,
  postTagsClose,
  postPartners,
  patchPartners,
  postPartnersSuspend,
  postPartnersRestore,
  postPartnersKeys,
  postPartnersKeysRevoke,
  postPartnersFloat,
  postDeliveriesResend,
  postDisputes,
  postDisputesEvidence,
  postDisputesDecide,
  postRailsCompare,
  postInboxDismiss,
  postInboxRetry,
  postInboxCredit,
  postPayoutsCorrect,
  postPayoutsMark,
  postPayoutsVerify,
  postReconciliationImports,
  postReconciliationItemsResolve,
  postReceiversPause,
  postReceiversResume,
  postDeliveriesReplay,
  postPartnersWebhookSecretRotate,
  postApplicationsWebhookSecretRotate,
  postTerminals,
  postTerminalsSplits,
  postTransactions,
  patchWallets,
  postPartnersSettlement,
  postApplicationsFund,
  postApplicationsSettlement,
  postRemittances,
  postTransactionsRefund,
  postTransactionsReverse,
  postSuspenseResolve,
  postWalletsLiensLift,
  postWalletsLiens,
  postWalletsRevoke,
  postCustomersFind,
  postCustomersRevealById,
  postCustomersReveal,
  postCustomersFreeze,
  postCustomersRelease,
  postCustomersExport,
  postCustomersHandBackBvn,
  postCustomersErase,
  postCustomersCorrect,
  postKeysRotate,
  postKeysRevoke,
  postApprovalsApprove,
  postApprovalsReject,
  postOperators,
  patchOperators,
  postOperatorsRotate,
  postOperatorsDisable,
  postOperatorsEnable,
  postOperatorsSessionsEnd,
  postSessionsEnd,
  postCustomersSessionsEnd,
  postThrottlesLift,
];

type Deps = DepsOfEndpoints<typeof endpoints> &
  Parameters<typeof requireOperator>[1] &
  Parameters<typeof serveOpenApi>[1]['where'] & { operatorPort: number | undefined } & Parameters<
    typeof honourIdempotencyKeys
  >[1];

/** The operator API: camelCase in and out, behind an operator's bearer token, as its description is, and `permissions.ts`. */
export const operatorPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  neverShed(app);
  app.decorate('waitingOperations', new Map());
  requireOperator(app, deps, { permissions, memberPermissions });
  serveOpenApi(app, {
    title: 'PayTag operator API',
    about: 'operator',
    schemes: ['operator'],
    where: { ...deps, ownPort: deps.operatorPort },
    ofEveryRoute: { tags: ['Extension'], security: operatorOnly },
  });
  honourIdempotencyKeys(app, deps);
  maskForViewers(app);
  for (const endpoint of endpoints) endpoint(app, deps);
};
