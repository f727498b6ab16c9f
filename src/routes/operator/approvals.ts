import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { approveRequest, listApprovals, readApproval, rejectRequest } from '#modules/operators';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import {
  approvalShape,
  approvalStatus,
  idParams,
  optionalReasonBody,
  reasonBody,
  toApproval,
  wholeApprovalShape,
} from './shapes.ts';

export function getApprovalsById(app: ZodApp, deps: DepsOf<typeof readApproval>): void {
  app.get(
    '/approvals/:id',
    {
      schema: {
        operationId: 'getApproval',
        summary: 'A request for approval, with its operation and body',
        params: idParams,
        response: { 200: wholeApprovalShape, ...failuresFor('APPROVAL_NOT_FOUND') },
      },
    },
    async (request) => {
      const asked = { id: request.params.id, by: operatorOf(request), operations: app.waitingOperations };
      const { input, answer, ...approval } = await readApproval(deps, asked);
      const body: unknown = input === undefined || input.body === '' ? undefined : JSON.parse(input.body);
      return {
        ...toApproval(approval),
        ...(input === undefined ? {} : { request: { params: { ...input.params }, body } }),
        ...(answer === undefined ? {} : { answer }),
      };
    },
  );
}

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

export function postApprovalsReject(app: ZodApp, deps: DepsOf<typeof rejectRequest>): void {
  app.post(
    '/approvals/:id/reject',
    {
      schema: {
        operationId: 'rejectRequest',
        summary: 'Reject what another operator asked for, or take back what you asked for',
        params: idParams,
        body: reasonBody,
        response: {
          200: approvalShape,
          ...failuresFor('APPROVAL_NOT_FOUND', 'APPROVAL_NOT_PENDING', 'APPROVAL_EXPIRED'),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const decision = { ...request.body, id, by: operatorOf(request), operations: app.waitingOperations };
      return toApproval(await rejectRequest(deps, decision));
    },
  );
}

const pages = pagedBy('approvals', uuidKey);

const query = pages.query.extend({
  status: optional(approvalStatus),
  operation: optional(text(200)).meta({ description: 'As POST /partners/:id/float' }),
  requestedBy: optional(text(40)).meta({ description: 'An operator’s id, or root' }),
});

export function getApprovals(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listApprovals>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/approvals',
    {
      schema: {
        operationId: 'listApprovals',
        summary: 'Requests for approval, pending ones and decided ones, newest first',
        querystring: query,
        response: { 200: listOf(approvalShape) },
      },
    },
    async ({ actor, query: asked }) =>
      pages.page(await readLong(actor, async (db) => listApprovals({ ...deps, db }, asked)), asked, toApproval),
  );
}
