import { requireOperator } from '#http/auth/operator.ts';
import { noStore } from '#http/headers.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import { serveOpenApi } from '#http/openapi.ts';
import { operatorOnly } from '#http/openapi-meta.ts';
import { neverShed } from '#http/overload.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { maskForViewers } from './actions.ts';
import {
  postApplicationsApprove,
  postApplicationsFund,
  postApplicationsRestore,
  postApplicationsSecretRotate,
  postApplicationsSettlement,
  postApplicationsSuspend,
  postApplicationsWebhookSecretRotate,
} from './applications.ts';
import { postApprovalsApprove, postApprovalsReject } from './approvals.ts';
import {
  postCustomersCorrect,
  postCustomersErase,
  postCustomersExport,
  postCustomersFind,
  postCustomersFreeze,
  postCustomersHandBackBvn,
  postCustomersRelease,
  postCustomersReveal,
  postCustomersRevealById,
  postCustomersSessionsEnd,
} from './customers.ts';
import { postDeliveriesReplay, postDeliveriesResend } from './deliveries.ts';
import { postDisputes, postDisputesDecide, postDisputesEvidence } from './disputes.ts';
import { postInboxCredit, postInboxDismiss, postInboxRetry } from './inbox.ts';
import { postKeysRevoke, postKeysRotate } from './keys.ts';
import {
  patchOperators,
  postOperators,
  postOperatorsDisable,
  postOperatorsEnable,
  postOperatorsRotate,
  postOperatorsSessionsEnd,
} from './operators.ts';
import { postSearch } from './overview.ts';
import {
  patchPartners,
  postPartners,
  postPartnersFloat,
  postPartnersKeys,
  postPartnersKeysRevoke,
  postPartnersRestore,
  postPartnersSettlement,
  postPartnersSuspend,
  postPartnersWebhookSecretRotate,
} from './partners.ts';
import { postPayoutsCorrect, postPayoutsMark, postPayoutsVerify } from './payouts.ts';
import { memberPermissions, permissions } from './permissions.ts';
import { postRailsCompare } from './rails.ts';
import { reads } from './reads.ts';
import { postReceiversPause, postReceiversResume } from './receivers.ts';
import { postReconciliationImports, postReconciliationItemsResolve } from './reconciliation.ts';
import { postSessionsEnd, postThrottlesLift } from './sessions.ts';
import { postRemittances, postSuspenseResolve } from './suspense.ts';
import { postTagsClose, postTagsRestore, postTagsSuspend } from './tags.ts';
import { postTerminals, postTerminalsSplits } from './terminals.ts';
import { postTransactions, postTransactionsRefund, postTransactionsReverse } from './transactions.ts';
import { patchWallets, postWalletsLiens, postWalletsLiensLift, postWalletsRevoke } from './wallets.ts';

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
