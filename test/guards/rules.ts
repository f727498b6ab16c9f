import type { Bound } from './bounds.ts';

/** Round trips of a read and of what moves money, those of the caller's credentials included. */
interface Rule {
  readonly readMax: number;
  readonly moneyMax: number;
}
/** Of a caller who called less than a second ago, */
export const WARM: Rule = { readMax: 2, moneyMax: 3 };
/** and of one who did not. */
export const COLD: Rule = { readMax: 3, moneyMax: 3 };
/** What moves money under an Idempotency-Key, which is reserved before and has its answer stored after. */
export const KEYED: Rule = { readMax: 0, moneyMax: 4 };

/** What money is moved by. */
export const money = [
  'POST /v2/partner/wallet/{reference}/credit',
  'POST /v2/partner/wallet/{reference}/debit',
  'POST /v2/partner/transaction/{reference}/refund',
  'POST /v2/partner/wallet/{reference}/payout',
  'POST /v2/sso/transaction',
  'POST /v2/sso/payout',
  'POST /api/v1/transactions',
  'POST /api/v1/transactions/{id}/accept',
  'POST /api/v1/transactions/{id}/reject',
  'POST /api/v1/transactions/{id}/cancel',
  'POST /operator/v1/partners/{id}/float',
  'POST /operator/v1/partners/{id}/settlement',
  'POST /operator/v1/applications/{id}/fund',
  'POST /operator/v1/applications/{id}/settlement',
  'POST /operator/v1/remittances',
  'POST /operator/v1/transactions',
  'POST /operator/v1/transactions/{reference}/refund',
  'POST /operator/v1/transactions/{reference}/reverse',
  'POST /operator/v1/suspense/{id}/resolve',
  'POST /operator/v1/inbox/{id}/credit',
  'POST /operator/v1/payouts/{id}/correct',
  'POST /operator/v1/payouts/{id}/mark',
  'POST /operator/v1/payouts/{id}/verify',
  'POST /operator/v1/reconciliation/items/{id}/resolve',
  'POST /operator/v1/disputes/{id}/decide',
];

const PAYEES = 'where the page has what was paid out or reversed: the bank accounts, too';
const LOGIN = 'it reads nothing: it makes a session of a code';
const CODE = 'it reads nothing: it counts what is sent, and sends a code';
const CHECKS = 'it checks all that is stored, each thing in a transaction of its own';
const SHORT = 'the operator, whose token is never remembered, a page, and what is behind one that is short';
const STEPS = 'the operator, whose token is never remembered, then a thing, then what belongs to it';
const AUDITED =
  'the operator, whose token is never remembered; what is moved, its entry in the audit trail and who must look at it twice commit together';

/** What takes more than the rules allow, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  'GET /v2/sso/token': LOGIN,
  'GET /v2/sso/{session}/otp': CODE,
  'GET /v2/sso/create-tag/{onboarding}/otp': CODE,
  'GET /operator/v1/applications': STEPS,
  'GET /operator/v1/partners': STEPS,
  'GET /operator/v1/reconciliation/imports/{id}': STEPS,
  'GET /operator/v1/receivers/{ownerId}': STEPS,
  'GET /operator/v1/remittances': SHORT,
  'GET /operator/v1/receivers': STEPS,
  'GET /operator/v1/sessions': STEPS,
  'GET /operator/v1/ledger/check': CHECKS,
  'GET /operator/v1/transactions/{reference}': STEPS,
  'GET /operator/v1/deliveries/{id}': STEPS,
  'GET /operator/v1/tags/{tag}': STEPS,
  'GET /operator/v1/terminals/{serialNumber}': STEPS,
  'GET /operator/v1/wallets': STEPS,
  'GET /operator/v1/wallets/{reference}/history': STEPS,
  'GET /operator/v1/wallets/{reference}/holds': STEPS,
  'GET /operator/v1/wallets/{reference}/liens': STEPS,
  'GET /operator/v1/wallets/{reference}': STEPS,
  'GET /operator/v1/customers/{id}': STEPS,
  ...Object.fromEntries(money.filter((operation) => operation.includes('/operator/')).map((one) => [one, AUDITED])),
};

/** What takes more than the rules allow of a caller who did not call for a second, beside those. */
export const coldExceptions: Readonly<Record<string, string>> = {
  'POST /v2/partner/wallet/{reference}/payout': 'a bank is asked; a sandbox looks first how it is to answer',
  'GET /v2/partner/wallet/{reference}/history': PAYEES,
  'GET /v2/sso/transaction': PAYEES,
};

/** Operations that take more round trips than a rule allows. */
export const beyondTheRules = (table: Readonly<Record<string, Bound>>, { readMax, moneyMax }: Rule): string[] =>
  Object.entries(table)
    .filter(([operation, [, roundTrips]]) => {
      if (operation.startsWith('GET ')) return roundTrips > readMax;
      return money.includes(operation) && roundTrips > moneyMax;
    })
    .map(([operation]) => operation);

const CHECK = 'a check of all the books, once a night or when somebody asks: planned for what the tables hold then';

/** Operations that send statements without a name, and why. */
export const withoutName: Readonly<Record<string, string>> = {
  'GET /operator/v1/ledger/check': CHECK,
};
