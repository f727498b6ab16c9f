import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { approveRequest } from '#modules/approvals';
import { toApproval, wholeApprovalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postApprovalsApprove(app: ZodApp, deps: DepsOf<typeof approveRequest>): void {
  app.post(
    '/approvals/:id/approve',
    {
      schema: {
        operationId: 'approveRequest',
        summary: 'Approve what another operator asked for, and do it; a refusal is that of the operation',
        params: idParams,
        body: optionalReasonBody,
        response: {
          200: wholeApprovalShape,
          ...failuresFor(
            'APPROVAL_OWN',
            'REDIRECT_URL_REFUSED',
            'ROLE_REFUSED',
            'WEBHOOK_TARGET_REFUSED',
            'DISPUTE_NOT_FOUND',
            'LIEN_NOT_FOUND',
            'MESSAGE_NOT_FOUND',
            'RECEIVER_NOT_FOUND',
            'RECONCILIATION_ITEM_NOT_FOUND',
            'APPLICATION_NOT_FOUND',
            'APPROVAL_NOT_FOUND',
            'CUSTOMER_NOT_FOUND',
            'PARTNER_NOT_FOUND',
            'PAYOUT_NOT_FOUND',
            'SPLIT_NOT_FOUND',
            'TERMINAL_NOT_FOUND',
            'TRANSACTION_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'API_KEY_LIMIT',
            'APPLICATION_STATUS_CONFLICT',
            'APPROVAL_NOT_PENDING',
            'APPROVAL_OUTGROWN',
            'CONTACT_NOT_PROVEN',
            'DISPUTE_STATE_CONFLICT',
            'LIEN_LIFTED',
            'LIEN_OF_DISPUTE',
            'MESSAGE_BOOKED',
            'PARTNER_STATUS_CONFLICT',
            'RECONCILIATION_ITEM_STATE_CONFLICT',
            'SECRET_OVERLAP_RUNNING',
            'CUSTOMER_STATUS_CONFLICT',
            'PAYOUT_STATE_CONFLICT',
            'REFERENCE_REUSED',
            'TRANSACTION_NOT_PENDING',
            'WALLET_REVOKED',
            'APPROVAL_EXPIRED',
            'BALANCE_EXCEEDED',
            'CURRENCY_MISMATCH',
            'INSUFFICIENT_FUNDS',
            'REFUND_EXCEEDS',
            'TRANSACTION_NOT_REFUNDABLE',
            'TRANSACTION_NOT_REVERSIBLE',
            'WALLET_BLOCKED',
            'WALLET_PNC',
            'WALLET_PND',
          ),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const decision = { ...request.body, id, by: operatorOf(request), operations: app.waitingOperations };
      const { answer, ...approval } = await approveRequest(deps, decision);
      return { ...toApproval(approval), answer };
    },
  );
}
