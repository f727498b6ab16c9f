const BUILT =
  'a list whose statement is built by what is asked for: over the connections of long reads, in its partner’s turn';
const REPLAY = 'built by its filter: one at a time of each receiver’s owner, under a lock';
const CHECK = 'a check of all the books, once a night or when somebody asks: planned for what the tables hold then';
const LIST = 'a list, or holds one: its statement is built by what is asked for';

/** Operations that send statements without a name, and why. */
export const withoutName: Readonly<Record<string, string>> = {
  'GET /v2/partner/wallet': BUILT,
  'GET /v2/partner/dispute': BUILT,
  'GET /v2/sso/beneficiary': BUILT,
  'POST /v2/partner/webhook/replay': REPLAY,
  'POST /operator/v1/deliveries/replay': REPLAY,
  'GET /operator/v1/ledger/check': CHECK,
  'GET /operator/v1/approvals': LIST,
  'GET /operator/v1/applications': LIST,
  'GET /operator/v1/audit': LIST,
  'GET /operator/v1/claims': LIST,
  'GET /operator/v1/customers': LIST,
  'GET /operator/v1/deliveries': LIST,
  'GET /operator/v1/disputes': LIST,
  'GET /operator/v1/federations': LIST,
  'GET /operator/v1/inbox': LIST,
  'GET /operator/v1/operators': LIST,
  'GET /operator/v1/partners': LIST,
  'GET /operator/v1/payouts': LIST,
  'GET /operator/v1/rails/{provider}/comparisons': LIST,
  'GET /operator/v1/receivers': LIST,
  'GET /operator/v1/reconciliation/imports': LIST,
  'GET /operator/v1/reconciliation/items': LIST,
  'GET /operator/v1/remittances': LIST,
  'GET /operator/v1/requests/{requestId}': LIST,
  'GET /operator/v1/seals': LIST,
  'GET /operator/v1/sessions': LIST,
  'GET /operator/v1/splits': LIST,
  'GET /operator/v1/suspense': LIST,
  'GET /operator/v1/tags': LIST,
  'GET /operator/v1/tags/{tag}': LIST,
  'GET /operator/v1/terminals': LIST,
  'GET /operator/v1/terminals/{serialNumber}': LIST,
  'GET /operator/v1/transactions/{reference}': LIST,
  'GET /operator/v1/wallets': LIST,
  'GET /operator/v1/wallets/{reference}/holds': LIST,
  'GET /operator/v1/wallets/{reference}/liens': LIST,
  'POST /operator/v1/search': LIST,
};
