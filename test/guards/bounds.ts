import { randomUUID } from 'node:crypto';
import { beforeAll } from 'vitest';
import {
  type GoodRequests,
  goodRequestsOfPartners,
  goodRequestsOfSandbox,
  goodRequestsOfSso,
  goodRequestsOfSwitch,
} from '../http/every-operation/good-requests.ts';
import {
  plainRequestsOfOperator,
  plainRequestsOfPartners,
  plainRequestsOfSso,
  plainRequestsOfSwitch,
} from '../http/every-operation/plain-requests.ts';
import type { TestApp } from '../support/app.ts';
import { type Counted, countedIn } from '../support/plans.ts';

/**
 * What the credentials of a caller take who has not called for a second: all of it in one round trip. An operator's are never
 * remembered, and stand in the bounds of each operation.
 */
const ofCredentials: readonly (readonly [base: string, more: Bound])[] = [
  ['/operator/', [0, 0]],
  ['/v2/partner/', [1, 1]], // the partner
  ['/v2/sso', [3, 1]], // the partner, the keys that signed the token, its session
  ['/v2/sandbox/', [2, 1]], // the partner; or the keys and the application
  ['/api/', [2, 1]], // the keys, the application
];

/** What takes more than that: a provider is asked, which a sandbox may have disturbed, a token whose partner comes first, or the accounts of payouts. */
export const coldBounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/paytag': [20, 18],
  'POST /v2/partner/wallet/{reference}/payout': [5, 4],
  'GET /v2/partner/wallet/{reference}/history': [4, 4],
  'GET /v2/sso/transaction': [6, 4],
  'DELETE /v2/sso/token': [5, 4],
  'POST /v2/sso/create-tag': [6, 5],
  'GET /v2/sso/{session}/otp': [14, 7],
  'GET /v2/sso/create-tag/{onboarding}/otp': [14, 7],
  'PUT /v2/sso/contact': [22, 15],
  'POST /v2/sso/wallet/bank-account': [11, 8],
};

/** The same of what moves money of a wallet, when its accounts are not remembered either. */
export const coldestBounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/wallet/{reference}/credit': [3, 3],
  'POST /v2/partner/wallet/{reference}/debit': [3, 3],
};

/** What a call of an operation may send to PostgreSQL, at most, when nothing is remembered of who calls. */
export function coldBoundOf(operation: string): Bound {
  const [statements, roundTrips] = bounds[operation] ?? [0, 0];
  const [, more] = ofCredentials.find(([base]) => operation.split(' ')[1]?.startsWith(base)) ?? [];
  if (more === undefined) throw new Error(`nobody says what the credentials of ${operation} take`);
  return coldBounds[operation] ?? [statements + more[0], roundTrips + more[1]];
}

/**
 * What moves money, with an Idempotency-Key, of a caller who called less than a second ago. The key is reserved before anything is
 * looked at, since a repetition is answered as the first was, whatever has become of what it names; and the answer is stored
 * after the commit: two round trips more than without. Where there is no reference of the caller's, the commit says besides
 * whose run it is of, in a transaction that goes out together.
 */
export const keyedBounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/wallet/{reference}/credit': [3, 3],
  'POST /v2/partner/wallet/{reference}/debit': [3, 3],
  'POST /v2/partner/transaction/{reference}/refund': [4, 4],
  'POST /v2/partner/wallet/{reference}/payout': [5, 4],
  'POST /v2/sso/transaction': [4, 4],
  'POST /v2/sso/payout': [6, 4],
  'POST /api/v1/transactions': [7, 4],
  'POST /api/v1/transactions/{id}/accept': [8, 4],
  'POST /api/v1/transactions/{id}/reject': [8, 4],
  'POST /api/v1/transactions/{id}/cancel': [8, 4],
};

/** Those of the operator API. */
const operatorBounds: Readonly<Record<string, Bound>> = {
  'GET /operator/v1/overview': [25, 2],
  'POST /operator/v1/search': [16, 5],
  'GET /operator/v1/tags': [3, 2],
  'GET /operator/v1/tags/{tag}': [6, 4],
  'GET /operator/v1/claims': [3, 2],
  'GET /operator/v1/federations': [3, 2],
  'GET /operator/v1/terminals': [3, 2],
  'GET /operator/v1/terminals/{serialNumber}': [3, 3],
  'GET /operator/v1/splits': [3, 2],
  'GET /operator/v1/customers': [3, 2],
  'GET /operator/v1/applications': [4, 3],
  'GET /operator/v1/applications/{id}': [3, 2],
  'POST /operator/v1/applications/{id}/approve': [7, 6],
  'POST /operator/v1/applications/{id}/suspend': [7, 6],
  'POST /operator/v1/applications/{id}/restore': [10, 8],
  'POST /operator/v1/applications/{id}/secret/rotate': [9, 7],
  'POST /operator/v1/tags/{tag}/suspend': [8, 7],
  'POST /operator/v1/tags/{tag}/restore': [8, 7],
  'POST /operator/v1/tags/{tag}/close': [10, 9],
  'POST /operator/v1/partners': [11, 8],
  'GET /operator/v1/partners': [4, 3],
  'GET /operator/v1/partners/{id}': [6, 2],
  'GET /operator/v1/partners/{id}/day/{date}': [3, 2],
  'PATCH /operator/v1/partners/{id}': [16, 7],
  'POST /operator/v1/partners/{id}/suspend': [11, 6],
  'POST /operator/v1/partners/{id}/restore': [13, 8],
  'POST /operator/v1/partners/{id}/keys': [7, 6],
  'POST /operator/v1/partners/{id}/keys/{keyId}/revoke': [7, 6],
  'POST /operator/v1/partners/{id}/float': [6, 5],
  'GET /operator/v1/deliveries': [3, 2],
  'GET /operator/v1/deliveries/{id}': [4, 3],
  'POST /operator/v1/deliveries/{id}/resend': [7, 5],
  'POST /operator/v1/inbox/{id}/dismiss': [7, 6],
  'POST /operator/v1/payouts/{id}/correct': [9, 8],
  'GET /operator/v1/rails': [4, 2],
  'GET /operator/v1/rails/{provider}/comparisons': [3, 2],
  'GET /operator/v1/rails/{provider}/comparisons/{date}': [2, 2],
  'POST /operator/v1/rails/{provider}/compare': [5, 4],
  'GET /operator/v1/disputes': [3, 2],
  'GET /operator/v1/disputes/{id}': [2, 2],
  'POST /operator/v1/disputes': [20, 19],
  'POST /operator/v1/disputes/{id}/evidence': [8, 7],
  'POST /operator/v1/disputes/{id}/decide': [21, 20],
  'GET /operator/v1/inbox': [3, 2],
  'GET /operator/v1/inbox/{id}': [2, 2],
  'POST /operator/v1/inbox/{id}/retry': [7, 6],
  'POST /operator/v1/inbox/{id}/credit': [14, 13],
  'GET /operator/v1/payouts': [3, 2],
  'GET /operator/v1/payouts/{id}': [2, 2],
  'POST /operator/v1/payouts/{id}/verify': [10, 8],
  'POST /operator/v1/payouts/{id}/mark': [9, 8],
  'GET /operator/v1/reconciliation/imports': [3, 2],
  'POST /operator/v1/reconciliation/imports': [46, 42], // postings are read a day at a time, of the file's day and 15 on each side
  'GET /operator/v1/reconciliation/imports/{id}': [5, 3],
  'GET /operator/v1/reconciliation/items': [3, 2],
  'POST /operator/v1/reconciliation/items/{id}/resolve': [11, 10],
  'GET /operator/v1/receivers/{ownerId}': [7, 5],
  'POST /operator/v1/receivers/{ownerId}/pause': [12, 9],
  'POST /operator/v1/receivers/{ownerId}/resume': [13, 10],
  'POST /operator/v1/deliveries/replay': [9, 8],
  'POST /operator/v1/partners/{id}/webhook/secret/rotate': [8, 7],
  'POST /operator/v1/applications/{id}/webhook/secret/rotate': [7, 6],
  'POST /operator/v1/terminals': [6, 5],
  'POST /operator/v1/terminals/{serialNumber}/splits': [6, 5],
  'GET /operator/v1/transactions': [3, 2],
  'GET /operator/v1/transactions/{reference}': [9, 4],
  'POST /operator/v1/transactions': [11, 10],
  'GET /operator/v1/ledger/check': [620, 620],
  'GET /operator/v1/ledger/trial-balance/{date}': [3, 2],
  'GET /operator/v1/requests/{requestId}': [3, 2],
  'GET /operator/v1/seals': [3, 2],
  'GET /operator/v1/audit': [3, 2],
  'GET /operator/v1/wallets': [4, 3],
  'GET /operator/v1/wallets/{reference}': [4, 3],
  'GET /operator/v1/wallets/{reference}/history': [3, 3],
  'GET /operator/v1/wallets/{reference}/holds': [4, 3],
  'GET /operator/v1/wallets/{reference}/liens': [4, 3],
  'PATCH /operator/v1/wallets/{reference}': [13, 11],
  'POST /operator/v1/partners/{id}/settlement': [6, 5],
  'POST /operator/v1/applications/{id}/fund': [6, 5],
  'POST /operator/v1/applications/{id}/settlement': [6, 5],
  'GET /operator/v1/accounts': [2, 2],
  'GET /operator/v1/remittances': [4, 3],
  'POST /operator/v1/remittances': [7, 5],
  'POST /operator/v1/transactions/{reference}/refund': [8, 7],
  'POST /operator/v1/transactions/{reference}/reverse': [13, 12],
  'GET /operator/v1/suspense': [3, 2],
  'POST /operator/v1/suspense/{id}/resolve': [18, 16],
  'POST /operator/v1/wallets/{reference}/liens/{id}/lift': [13, 12],
  'POST /operator/v1/wallets/{reference}/liens': [8, 7],
  'POST /operator/v1/wallets/{reference}/revoke': [15, 13],
  'GET /operator/v1/keys': [2, 2],
  'POST /operator/v1/customers/find': [5, 4],
  'GET /operator/v1/customers/{id}': [5, 3],
  'POST /operator/v1/customers/{id}/reveal': [5, 4],
  'POST /operator/v1/customers/reveal': [8, 7],
  'POST /operator/v1/customers/{id}/freeze': [28, 24],
  'POST /operator/v1/customers/{id}/release': [25, 22],
  'POST /operator/v1/customers/{id}/export': [43, 32],
  'POST /operator/v1/customers/{id}/hand-back-bvn': [11, 8],
  'POST /operator/v1/customers/{id}/erase': [56, 51],
  'POST /operator/v1/customers/{id}/correct': [12, 9],
  'POST /operator/v1/keys/rotate': [11, 10],
  'POST /operator/v1/keys/{kid}/revoke': [9, 8],
  'GET /operator/v1/approvals': [3, 2],
  'GET /operator/v1/approvals/{id}': [2, 2],
  'POST /operator/v1/approvals/{id}/approve': [15, 13],
  'POST /operator/v1/approvals/{id}/reject': [6, 5],
  'GET /operator/v1/receivers': [6, 4],
  'GET /operator/v1/settings': [2, 2],
  'GET /operator/v1/sessions': [4, 3],
  'POST /operator/v1/sessions/{id}/end': [8, 6],
  'POST /operator/v1/customers/{id}/sessions/end': [9, 8],
  'GET /operator/v1/operators/sessions': [3, 2],
  'POST /operator/v1/operators/sessions/{id}/end': [6, 5],
  'GET /operator/v1/throttles': [3, 2],
  'POST /operator/v1/throttles/{id}/lift': [10, 8],
  'POST /operator/v1/operators': [6, 5],
  'GET /operator/v1/operators': [3, 2],
  'GET /operator/v1/operators/me': [1, 1],
  'PATCH /operator/v1/operators/{id}': [7, 6],
  'POST /operator/v1/operators/{id}/rotate': [7, 6],
  'POST /operator/v1/operators/{id}/disable': [7, 6],
  'POST /operator/v1/operators/{id}/enable': [7, 6],
};

/** What servers are given whose statements are counted. */
export const COUNTED_SETTINGS = { APPROVAL_ABOVE: '1000000', RATE_LIMIT_CALLS_PER_S: '1000000' };

interface TypicalCall {
  /** So long after what was asked before. */
  aheadMs?: number;
  /** With an Idempotency-Key that nobody has used. */
  isKeyed?: boolean;
}

/**
 * Makes a good request of every operation, before the tests of a file.
 *
 * @returns what an operation, as a document names it, asks of PostgreSQL to answer such a request
 */
export function useTypicalCalls(server: TestApp): (operation: string, given?: TypicalCall) => Promise<Counted> {
  const good: GoodRequests = {};

  beforeAll(async () => {
    const surfaces = [
      goodRequestsOfPartners,
      goodRequestsOfSandbox,
      goodRequestsOfSso,
      goodRequestsOfSwitch,
      plainRequestsOfPartners,
      plainRequestsOfSso,
      plainRequestsOfSwitch,
      plainRequestsOfOperator,
    ];
    for (const surface of surfaces) Object.assign(good, await surface(server));
    server.clock.stop(); // what is read anew each second is read once, however slow the machine
  });

  return async (operation, { aheadMs = 0, isKeyed = false } = {}) => {
    const made = await good[operation]?.('', undefined);
    if (made === undefined) throw new Error(`${operation} has no good request`);
    const { url, headers, query = {}, body } = made;
    const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const whole = parameters.length === 0 ? url : `${url}?${new URLSearchParams(parameters).toString()}`;
    const method = operation.split(' ')[0] as Parameters<TestApp['call']>[0];
    server.clock.advance(aheadMs);
    const sent = isKeyed ? { ...headers, 'idempotency-key': randomUUID() } : headers;
    const { result, ...counted } = await countedIn(() =>
      server.call(method, whole, { headers: sent, ...(body === undefined ? {} : { payload: body }) }),
    );
    if (result.statusCode >= 400) throw new Error(`${operation} answered ${result.statusCode}: ${result.body}`);
    return counted;
  };
}

/** What a typical call of an operation may send to PostgreSQL, at most. */
export type Bound = readonly [statements: number, roundTrips: number];

/**
 * Every operation of the three documents, for a caller and a wallet that were known a moment before. All that is sent counts as a
 * statement, `begin` and `commit` too, but for what sets how a connection plans. Statements that go out together are one round trip.
 * Whoever makes an operation send less makes its row smaller by hand.
 */
export const bounds: Readonly<Record<string, Bound>> = {
  'POST /v2/partner/paytag': [18, 16],
  'POST /v2/partner/paytag/bvn/{bvn}': [17, 15],
  'POST /v2/partner/wallet': [9, 6],
  'GET /v2/partner/wallet': [3, 2],
  'POST /v2/partner/wallet/{reference}/credit': [1, 1],
  'POST /v2/partner/wallet/{reference}/debit': [1, 1],
  'POST /v2/partner/wallet/{reference}/payout': [3, 2],
  'GET /v2/partner/wallet/{reference}/account': [2, 2],
  'POST /v2/partner/wallet/{reference}/account': [5, 5],
  'GET /v2/partner/terminal/splits': [3, 2],
  'GET /v2/partner/terminal/split/{split}': [2, 2],
  'POST /v2/partner/terminal/split': [4, 3],
  'POST /v2/partner/terminal/split/{split}/cancel': [4, 3],
  'GET /v2/partner/float': [1, 1],
  'GET /v2/partner/day/{date}': [2, 1],
  'GET /v2/partner/dispute': [2, 1],
  'GET /v2/partner/dispute/{id}': [1, 1],
  'POST /v2/partner/dispute/{id}/evidence': [6, 5],
  'GET /v2/partner/transaction/{reference}': [1, 1],
  'GET /v2/partner/wallet/{reference}/history': [2, 2],
  'GET /v2/partner/wallet/{reference}': [1, 1],
  'POST /v2/partner/transaction/{reference}/refund': [2, 2],
  'GET /v2/partner/webhook': [4, 2],
  'PUT /v2/partner/webhook': [10, 7],
  'PUT /v2/partner/webhook/contact': [6, 5],
  'POST /v2/partner/webhook/test': [7, 5],
  'GET /v2/partner/webhook/deliveries': [2, 1],
  'GET /v2/partner/webhook/deliveries/{id}': [2, 1],
  'POST /v2/partner/webhook/deliveries/{id}/resend': [8, 5],
  'POST /v2/partner/webhook/replay': [6, 5],
  'POST /v2/partner/webhook/portal': [0, 0],
  'POST /v2/partner/webhook/pause': [13, 9],
  'POST /v2/partner/webhook/resume': [13, 10],
  'POST /v2/partner/webhook/secret/rotate': [8, 6],
  'GET /v2/partner/webhook/endpoints': [2, 2],
  'POST /v2/partner/webhook/endpoints': [13, 9],
  'GET /v2/partner/webhook/endpoints/{id}': [2, 2],
  'PATCH /v2/partner/webhook/endpoints/{id}': [11, 7],
  'DELETE /v2/partner/webhook/endpoints/{id}': [14, 11],
  'POST /v2/partner/webhook/endpoints/{id}/pause': [11, 8],
  'POST /v2/partner/webhook/endpoints/{id}/resume': [12, 9],
  'POST /v2/partner/webhook/endpoints/{id}/test': [7, 5],
  'POST /v2/partner/webhook/endpoints/{id}/secret/rotate': [6, 5],
  'POST /v2/sso/auth-code': [16, 9],
  'GET /v2/sso/token': [5, 3],
  'DELETE /v2/sso/token': [3, 2],
  'GET /v2/sso/verify-tag': [1, 1],
  'POST /v2/sso/create-tag': [4, 3],
  'GET /v2/sso/{session}/otp': [12, 5],
  'POST /v2/sso/{session}/otp': [15, 11],
  'GET /v2/sso/create-tag/{onboarding}/otp': [12, 5],
  'POST /v2/sso/create-tag/{session}/complete': [19, 17],
  'GET /v2/sso': [1, 1],
  'POST /v2/sso/password': [8, 7],
  'POST /v2/sso/password/{session}/complete': [19, 18],
  'GET /v2/sso/beneficiary': [3, 2],
  'DELETE /v2/sso/beneficiary': [2, 2],
  'GET /v2/sso/consent': [5, 2],
  'DELETE /v2/sso/consent': [8, 6],
  'GET /v2/sso/contact': [2, 1],
  'PUT /v2/sso/contact': [18, 13],
  'DELETE /v2/sso/contact': [6, 5],
  'GET /v2/sso/wallet': [2, 1],
  'GET /v2/sso/transaction': [2, 2],
  'POST /v2/sso/transaction': [2, 2],
  'POST /v2/sso/payout': [4, 2],
  'GET /v2/sso/transaction/statement/{reference}': [1, 1],
  'GET /v2/sso/wallet/limit': [2, 1],
  'GET /v2/sso/qr': [1, 1],
  'POST /v2/sso/transaction/statement': [2, 1],
  'GET /v2/sso/wallet/bank-account': [1, 1],
  'POST /v2/sso/wallet/bank-account': [7, 6],
  'POST /v2/sandbox/wallet/{reference}/credit': [7, 6],
  'POST /v2/sandbox/wallet/{reference}/debit': [1, 1],
  'POST /v2/sandbox/payment/gateway': [10, 9],
  'POST /v2/sandbox/payment/terminal': [13, 12],
  'POST /v2/sandbox/payment/inbound': [8, 7],
  'POST /v2/sandbox/terminal/{terminal}/split/{split}/pay': [17, 16],
  'POST /v2/sandbox/transaction/{reference}/fail': [10, 9],
  'GET /v2/sandbox/otp': [1, 1],
  'POST /v2/sandbox/events': [7, 5],
  'GET /v2/sandbox/hooks': [1, 1],
  'POST /v2/sandbox/hooks/{mode}/{key}': [1, 1],
  'POST /v2/sandbox/time': [13, 10],
  'GET /v2/sandbox/providers': [1, 1],
  'PUT /v2/sandbox/providers/{provider}': [3, 2],
  'DELETE /v2/sandbox/providers/{provider}': [3, 2],
  'POST /v2/sandbox/application/time': [13, 10],
  'GET /v2/sandbox/application/providers': [1, 1],
  'PUT /v2/sandbox/application/providers/{provider}': [3, 2],
  'DELETE /v2/sandbox/application/providers/{provider}': [3, 2],
  'POST /v2/sandbox/application/events': [7, 5],
  'GET /v2/sandbox/application/hooks': [1, 1],
  'POST /v2/sandbox/application/transaction': [9, 8],
  'POST /v2/sandbox/application/wallet/credit': [6, 5],
  'GET /api/v1/tags/{tag}': [2, 2],
  'DELETE /api/v1/tags/{tag}': [7, 6],
  'GET /api/v1/tags/{tag}/claims': [2, 2],
  'POST /api/v1/tags/{tag}/claims': [11, 9],
  'GET /api/v1/tags/{tag}/claims/{claimId}/attestation': [2, 1],
  'POST /api/v1/tags/{tag}/claims/{claimId}/cancel': [7, 4],
  'POST /api/v1/tags/{tag}/claims/{claimId}/revoke': [7, 4],
  'POST /api/v1/consent/{consentToken}/approve': [8, 5],
  'POST /api/v1/consent/{consentToken}/reject': [6, 4],
  'POST /api/v1/tags/{tag}/federation': [16, 13],
  'GET /api/v1/tags/{tag}/federation': [3, 2],
  'POST /api/v1/tags/{tag}/federation/{linkId}/verify': [10, 8],
  'POST /api/v1/tags/{tag}/federation/{linkId}/reject': [7, 5],
  'DELETE /api/v1/tags/{tag}/federation/{linkId}': [7, 5],
  'GET /api/v1/wallet': [1, 1],
  'POST /api/v1/transactions': [2, 2],
  'GET /api/v1/transactions': [2, 2],
  'GET /api/v1/transactions/pending': [2, 2],
  'GET /api/v1/transactions/{id}': [2, 1],
  'POST /api/v1/transactions/{id}/accept': [3, 2],
  'POST /api/v1/transactions/{id}/reject': [3, 2],
  'POST /api/v1/transactions/{id}/cancel': [3, 2],
  'POST /api/v1/applications': [9, 8],
  'POST /api/v1/auth/token': [0, 0],
  'GET /api/v1/applications/webhook': [4, 2],
  'PUT /api/v1/applications/webhook': [10, 7],
  'GET /api/v1/applications/return-urls': [1, 1],
  'PUT /api/v1/applications/return-urls': [6, 5],
  'POST /api/v1/applications/secret/rotate': [7, 6],
  'POST /api/v1/subjects': [2, 2],
  'POST /api/v1/tags': [6, 4],
  'GET /api/v1/consent/{consentToken}': [1, 1],
  'GET /api/v1/federation/{approvalToken}': [2, 2],
  ...operatorBounds,
};
