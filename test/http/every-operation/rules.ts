import { type Bound, bounds } from './bounds.ts';

/** Round trips of a read, those of its credentials included. */
const READ_MAX = 2;
/** Round trips of what moves money. */
const MONEY_MAX = 3;

/** What partners, customers and applications move money by. */
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
];

const LOGIN = 'it reads nothing: it makes a session of a code';
const CODE = 'it reads nothing: it counts what is sent, and sends a code';
const CHECKS = 'it checks all that is stored, each thing in a transaction of its own';
const SHORT = 'the operator, whose token is never remembered, a page, and what is behind one that is short';
const STEPS = 'the operator, whose token is never remembered, then a thing, then what belongs to it';

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
};

/** Operations that take more round trips than the rules allow. */
export const beyondTheRules = (table: Readonly<Record<string, Bound>> = bounds): string[] =>
  Object.entries(table)
    .filter(([operation, [, roundTrips]]) => {
      if (operation.startsWith('GET ')) return roundTrips > READ_MAX;
      return money.includes(operation) && roundTrips > MONEY_MAX;
    })
    .map(([operation]) => operation);
