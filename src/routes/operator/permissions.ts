import type { Role } from '#modules/operators';

/**
 * What each role may do: every operation of the operator API with the least role that it asks for. The roles are, from the
 * one who may do least: viewer (reads, with personal data masked), support (also freezes, pauses, resends, suspends),
 * finance (also moves money), admin (also partners, keys, operators, limits). Each may do what those before it may.
 *
 * A route that has no line here stops the server at its start. `test/security/operator-roles.test.ts` tries each operation
 * with each role.
 */
export const permissions: Readonly<Record<string, Role>> = {
  'GET /openapi.json': 'viewer',

  'GET /accounts': 'viewer',
  'GET /applications': 'viewer',
  'GET /applications/:id': 'viewer',
  'GET /approvals': 'viewer',
  'GET /approvals/:id': 'viewer',
  'GET /audit': 'viewer',
  'GET /customers/:id': 'viewer',
  'GET /deliveries': 'viewer',
  'GET /deliveries/:id': 'viewer',
  'GET /inbox': 'viewer',
  'GET /inbox/:id': 'viewer',
  'GET /keys': 'viewer',
  'GET /ledger/check': 'viewer',
  'GET /ledger/trial-balance/:date': 'viewer',
  'GET /operators/me': 'viewer',
  'GET /partners': 'viewer',
  'GET /partners/:id': 'viewer',
  'GET /partners/:id/day/:date': 'viewer',
  'GET /payouts': 'viewer',
  'GET /payouts/:id': 'viewer',
  'GET /rails/:provider/comparisons/:date': 'viewer',
  'GET /receivers/:ownerId': 'viewer',
  'GET /remittances': 'viewer',
  'GET /reconciliation/imports': 'viewer',
  'GET /reconciliation/imports/:id': 'viewer',
  'GET /reconciliation/items': 'viewer',
  'GET /seals': 'viewer',
  'GET /suspense': 'viewer',
  'GET /tags/:tag': 'viewer',
  'GET /transactions': 'viewer',
  'GET /wallets': 'viewer',
  'GET /wallets/:reference': 'viewer',
  'POST /customers/find': 'viewer',
  'POST /operators/:id/rotate': 'viewer', // one’s own token; another’s asks for admin

  'POST /applications/:id/restore': 'support',
  'POST /applications/:id/suspend': 'support',
  'POST /approvals/:id/approve': 'support', // and the role of what is approved
  'POST /approvals/:id/reject': 'support', // the same
  'POST /customers/:id/export': 'support',
  'POST /customers/:id/freeze': 'support',
  'POST /customers/:id/release': 'support',
  'POST /customers/:id/reveal': 'support',
  'POST /customers/reveal': 'support',
  'POST /deliveries/:id/resend': 'support',
  'POST /deliveries/replay': 'support',
  'POST /inbox/:id/retry': 'support',
  'POST /partners/:id/restore': 'support',
  'POST /partners/:id/suspend': 'support',
  'POST /payouts/:id/verify': 'support',
  'POST /rails/:provider/compare': 'support',
  'POST /receivers/:ownerId/pause': 'support',
  'POST /receivers/:ownerId/resume': 'support',
  'POST /tags/:tag/restore': 'support',
  'POST /tags/:tag/suspend': 'support',
  'PATCH /wallets/:reference': 'support',
  'POST /wallets/:reference/liens': 'support',

  'POST /applications/:id/fund': 'finance',
  'POST /applications/:id/settlement': 'finance',
  'POST /inbox/:id/credit': 'finance',
  'POST /partners/:id/float': 'finance',
  'POST /partners/:id/settlement': 'finance',
  'POST /payouts/:id/mark': 'finance',
  'POST /reconciliation/imports': 'finance',
  'POST /reconciliation/items/:id/resolve': 'finance',
  'POST /remittances': 'finance',
  'POST /suspense/:id/resolve': 'finance',
  'POST /terminals/:serialNumber/splits': 'finance',
  'POST /transactions': 'finance',
  'POST /transactions/:reference/refund': 'finance',
  'POST /transactions/:reference/reverse': 'finance',
  'POST /wallets/:reference/liens/:id/lift': 'finance',

  'GET /operators': 'admin',
  'PATCH /operators/:id': 'admin',
  'PATCH /partners/:id': 'admin',
  'POST /applications/:id/approve': 'admin',
  'POST /applications/:id/secret/rotate': 'admin',
  'POST /applications/:id/webhook/secret/rotate': 'admin',
  'POST /customers/:id/correct': 'admin',
  'POST /customers/:id/erase': 'admin',
  'POST /customers/:id/hand-back-bvn': 'admin',
  'POST /keys/:kid/revoke': 'admin',
  'POST /keys/rotate': 'admin',
  'POST /operators': 'admin',
  'POST /operators/:id/disable': 'admin',
  'POST /operators/:id/enable': 'admin',
  'POST /partners': 'admin',
  'POST /partners/:id/keys': 'admin',
  'POST /partners/:id/keys/:keyId/revoke': 'admin',
  'POST /partners/:id/webhook/secret/rotate': 'admin',
  'POST /tags/:tag/close': 'admin',
  'POST /terminals': 'admin',
  'POST /wallets/:reference/revoke': 'admin',
};

/** Members of a body that ask for more than their operation does. */
export const memberPermissions: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  'PATCH /wallets/:reference': { dailyLimit: 'admin', tier: 'admin' },
};
