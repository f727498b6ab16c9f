import { payTagApplicationId } from '#modules/clients';
import { useApp } from '../../support/app.ts';
import { newApplication, operateApplication } from '../../support/application.ts';
import { MAPPING, newImport } from '../../support/bank-files.ts';
import { decideDispute, inDays } from '../../support/disputes.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import {
  type At,
  after,
  again,
  body,
  each,
  eachPath,
  eachQuery,
  headers,
  NOBODY,
  path,
  query,
  type Refusals,
  type Row,
  segmentOf,
  testRefusals,
} from '../../support/refusals.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { newWallet } from '../../support/wallets.ts';
import type { Good } from '../every-operation/good-requests.ts';
import { goodRequestsOfOperator } from '../every-operation/good-requests-operator.ts';
import { plainRequestsOfOperator } from '../every-operation/plain-requests.ts';

const server = useApp({
  APPROVAL_ABOVE: '1000000',
  RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: '0',
  RATE_LIMIT_REVEALS_PER_H: '0',
  RATE_LIMIT_FINDS_PER_H: '0',
});

const REASON = { reason: 'a complaint' };
const DAY_MS = 86_400_000;

/** Another operation of the same thing, after which this one is refused. */
const afterwards = (what: string, given: object = {}): Row =>
  after(({ url }, at) => operate(at, `${url.slice(0, url.lastIndexOf('/') + 1)}${what}`, given));
async function operate({ server: app }: At, url: string, given: object = {}): Promise<void> {
  const answer = await app.operate('POST', url.replace('/operator/v1', ''), { ...REASON, ...given });
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
}
const idOf = (made: Good, { operation }: At, name = 'id') => segmentOf(operation, made, name);
const revokedWallet = after((made, at) => operate(at, `/wallets/${idOf(made, at, 'reference')}/revoke`));
const ofTheBuiltIn = path({ id: payTagApplicationId });
const newApplicationId = async (app: typeof server) => ({ id: (await newApplication(app)).applicationId });
const byRoot = headers({ authorization: `Bearer ${OPERATOR_TOKEN}` });

const unfitNames = ['Acme\u202ePay', 'Acme\u0007', '<b>Acme', 'Acme evil.com', 'Αcme'];
const unfitUrls = [
  'javascript:alert(1)',
  'https://a:b@acme.example/',
  'https:a.example/cb',
  'https:/a.example/cb',
  'https:///a.example/cb',
  'https://a.example\\@evil.example/',
  'https://a.example\\cb',
  'HTTPS://a.example/cb',
  'https://A.example/cb',
  'https://a.example:443/cb',
  'https://a.example/x/../cb',
  'https://a.example/%2e%2e/cb',
  'https://0x7f.1/cb',
  'https://2130706433/cb',
  'https://%61.example/cb',
  'https://@a.example/cb',
  'https://a.example/cb?a="b"',
];
/** The answer to a login is written into what stands here. */
const unfitRedirects = ['https://a.example/#x', 'https://a.example/cb#'].concat(
  (
    'auth-code=x | a=b&code= | state=x | STATE=x | %65rror=x | iss | error | a=1;code=2 | code[]=1 | code%5B0%5D=1 | a&+state=x | ' +
    '?code=1 | x=%zz | x=%e9 | a=1&amp;code=2 | %00code=1 | code.a=1 | auth_code=1'
  )
    .split(' | ')
    .map((asked) => `https://a.example/cb?${asked}`),
);
const insideUrls = ['http://169.254.169.254/latest/meta-data', 'http://10.0.0.1/x', 'http://[::ffff:a00:1]/x'];
const urlsOfPartners = {
  REDIRECT_URL_REFUSED: each('redirectUrl', ...unfitRedirects),
  WEBHOOK_TARGET_REFUSED: each('webhookUrl', ...insideUrls),
};

const reads: Refusals = {
  'GET /operator/v1/applications/{id}': { APPLICATION_NOT_FOUND: [ofTheBuiltIn] },
  'GET /operator/v1/splits': { TERMINAL_NOT_FOUND: [query({ terminal: 'none' })] },
  'GET /operator/v1/throttles': { INVALID_PARAMETER: eachQuery('about', 'ada') },
  'GET /operator/v1/requests/{requestId}': { INVALID_PARAMETER: eachPath('requestId', 'a%20b') },
  'GET /operator/v1/partners/{id}/day/{date}': { INVALID_PARAMETER: eachPath('date', '2999-01-01') },
  'GET /operator/v1/ledger/trial-balance/{date}': {
    INVALID_PARAMETER: eachPath('date', '2999-01-01', '2026-02-30', '1999-12-31', 'today'),
  },
  'GET /operator/v1/rails/{provider}/comparisons/{date}': {
    INVALID_PARAMETER: eachPath('date', 'yesterday'),
    COMPARISON_NOT_FOUND: eachPath('date', '2026-01-01'),
  },
  'GET /operator/v1/transactions': {
    INVALID_PARAMETER: [
      ...eachQuery('amountFrom', '-1', '1.005'),
      ...eachQuery('amountTo', '-1', '1.005'),
      query({ applicationId: NOBODY, partnerId: NOBODY }),
    ],
  },
  'GET /operator/v1/transactions/{reference}': {
    TRANSACTION_NOT_FOUND: [
      async (at) => query({ partnerId: (await server.newPartner()).id })(at),
      ...eachQuery('partnerId', NOBODY),
      ...eachQuery('id', 999_999),
    ],
  },
  'GET /operator/v1/wallets': { INVALID_PARAMETER: eachQuery('nuban', '123', 'x') },
};

const ofPartnersAndApplications: Refusals = {
  'POST /operator/v1/partners': {
    INVALID_PARAMETER: [
      ...each('name', undefined, ...unfitNames),
      ...each('redirectUrl', undefined, ...unfitUrls),
      ...each('webhookUrl', 'not a url'),
    ],
    ...urlsOfPartners,
  },
  'PATCH /operator/v1/partners/{id}': {
    INVALID_PARAMETER: [
      body({ name: undefined, redirectUrl: undefined }),
      ...each('name', ['A'], ...unfitNames),
      ...each('redirectUrl', ...unfitUrls),
      ...each('webhookUrl', 'not a url'),
    ],
    ...urlsOfPartners,
  },
  'POST /operator/v1/partners/{id}/suspend': { PARTNER_STATUS_CONFLICT: [again()] },
  'POST /operator/v1/partners/{id}/restore': { PARTNER_STATUS_CONFLICT: [again()] },
  'POST /operator/v1/partners/{id}/keys': { API_KEY_LIMIT: [again()] },
  'POST /operator/v1/partners/{id}/keys/{keyId}/revoke': {
    PARTNER_NOT_FOUND: [path({ id: NOBODY })],
    API_KEY_NOT_FOUND: [path({ keyId: NOBODY }), path(async (app) => ({ id: (await app.newPartner()).id }))],
    API_KEY_REVOKED: [again()],
  },
  'POST /operator/v1/partners/{id}/float': { REFERENCE_REUSED: [again({ amount: 2 })] },
  'POST /operator/v1/partners/{id}/settlement': {
    REFERENCE_REUSED: [
      again({ amount: 2 }),
      after(({ url, body: given = {} }, at) => operate(at, url.replace('settlement', 'float'), given)),
    ],
    INSUFFICIENT_FUNDS: [body({ amount: 100.01 })],
  },
  'POST /operator/v1/partners/{id}/webhook/secret/rotate': {
    RECEIVER_NOT_FOUND: [path({ id: NOBODY }), path(newApplicationId)],
    SECRET_OVERLAP_RUNNING: [again()],
  },
  'POST /operator/v1/applications/{id}/approve': {
    APPLICATION_NOT_FOUND: [ofTheBuiltIn],
    APPLICATION_STATUS_CONFLICT: [again(), afterwards('suspend')],
  },
  'POST /operator/v1/applications/{id}/suspend': {
    APPLICATION_NOT_FOUND: [ofTheBuiltIn],
    APPLICATION_STATUS_CONFLICT: [again()],
  },
  'POST /operator/v1/applications/{id}/restore': {
    APPLICATION_NOT_FOUND: [ofTheBuiltIn],
    APPLICATION_STATUS_CONFLICT: [
      path(newApplicationId),
      path(async (app) => {
        const { id } = await newApplicationId(app);
        await operateApplication(app, id, 'approve');
        return { id };
      }),
    ],
  },
  'POST /operator/v1/applications/{id}/fund': {
    APPLICATION_NOT_FOUND: [ofTheBuiltIn],
    REFERENCE_REUSED: [again({ amount: 2 })],
  },
  'POST /operator/v1/applications/{id}/settlement': {
    APPLICATION_NOT_FOUND: [ofTheBuiltIn],
    REFERENCE_REUSED: [
      again({ amount: 2 }),
      after(({ url, body: given = {} }, at) => operate(at, url.replace('settlement', 'fund'), given)),
    ],
  },
  'POST /operator/v1/applications/{id}/secret/rotate': {
    APPLICATION_NOT_FOUND: [ofTheBuiltIn],
    SECRET_OVERLAP_RUNNING: [again()],
  },
  'POST /operator/v1/applications/{id}/webhook/secret/rotate': {
    RECEIVER_NOT_FOUND: [path({ id: NOBODY }), path(async (app) => ({ id: (await app.newPartner()).id }))],
    SECRET_OVERLAP_RUNNING: [again()],
  },
  'POST /operator/v1/receivers/{ownerId}/pause': {
    RECEIVER_NOT_FOUND: [path({ ownerId: NOBODY })],
    ENDPOINT_NOT_FOUND: each('endpointId', NOBODY),
  },
  'POST /operator/v1/receivers/{ownerId}/resume': {
    RECEIVER_NOT_FOUND: [path({ ownerId: NOBODY })],
    ENDPOINT_NOT_FOUND: each('endpointId', NOBODY),
  },
  'POST /operator/v1/deliveries/{id}/resend': {
    DELIVERY_NOT_FOUND: [path({ id: NOBODY })],
  },
  'POST /operator/v1/deliveries/replay': {
    INVALID_PARAMETER: [
      body({ applicationId: NOBODY, partnerId: NOBODY }),
      ...each('from', '2026-01-01T00:00:00'),
      ...each('after', '7'),
    ],
  },
  'POST /operator/v1/tags/{tag}/suspend': { TAG_STATUS_CONFLICT: [again(), afterwards('close')] },
  'POST /operator/v1/tags/{tag}/restore': { TAG_STATUS_CONFLICT: [again(), afterwards('close')] },
  'POST /operator/v1/tags/{tag}/close': { TAG_STATUS_CONFLICT: [again()] },
};

const ofMoney: Refusals = {
  'POST /operator/v1/terminals': {
    INVALID_PARAMETER: [
      ...each('serialNumber', 'with space'),
      ...each('email', 'nobody'),
      ...each('merchant', 'Mama <b>Put'),
    ],
    INVALID_PAYTAG: each('paytag', 'a__b'),
    PARTNER_NOT_FOUND: each('partnerId', NOBODY),
    TERMINAL_EXISTS: [again()],
  },
  'POST /operator/v1/terminals/{serialNumber}/splits': { REFERENCE_REUSED: [again({ amount: 11 })] },
  'POST /operator/v1/transactions': {
    INVALID_PARAMETER: [
      body({ type: 'PARTNER_PIGEON' }, { kind: 'PARTNER_GATEWAY' }),
      body({ sender: {} }, { kind: 'PARTNER_GATEWAY', names: 'sender.name' }),
      body({ nuban: '123' }, { kind: 'INBOUND' }),
      body({ terminal: undefined }, { kind: 'PARTNER_TERMINAL' }),
    ],
    PARTNER_NOT_FOUND: [body({ partnerId: NOBODY }, { kind: 'PARTNER_GATEWAY' })],
    TERMINAL_NOT_FOUND: [body({ terminal: 'SN-nobody' }, { kind: 'PARTNER_TERMINAL' })],
    SPLIT_NOT_FOUND: [
      body({ split: 'SPL-nobody' }, { kind: 'PARTNER_TERMINAL' }),
      async (at) => {
        const split = await newSplit(server, await newTerminal(server, await server.newPartner()), 1000);
        return body({ split }, { kind: 'PARTNER_TERMINAL' })(at);
      },
    ],
    WALLET_NOT_FOUND: [
      body({ nuban: '0000000000' }, { kind: 'INBOUND' }),
      async ({ good, server: app }) => {
        const made = await good('', 'PARTNER_GATEWAY');
        const { reference: walletReference } = await newWallet(app, await app.newPartner());
        return { ...made, body: { ...made.body, walletReference } };
      },
    ],
    REFERENCE_REUSED: [
      { amount: 999 },
      { sender: { name: 'Somebody else' } },
      { comment: 'other' },
      { metadata: {} },
    ].map((other) => again(other, { kind: 'PARTNER_GATEWAY' })),
  },
  'POST /operator/v1/transactions/{reference}/refund': {
    TRANSACTION_NOT_FOUND: [...each('partnerId', NOBODY), ...eachPath('reference', 'nothing')],
    REFERENCE_REUSED: [again({ amount: 1 })],
    REFUND_EXCEEDS: each('amount', 100.01),
  },
  'POST /operator/v1/transactions/{reference}/reverse': {
    INVALID_PARAMETER: each('reference', undefined),
    TRANSACTION_NOT_FOUND: [...each('partnerId', NOBODY, undefined), ...eachPath('reference', 'nothing')],
  },
  'POST /operator/v1/suspense/{id}/resolve': {
    INVALID_PARAMETER: [
      ...each('to', 'nobody'),
      body({ walletReference: undefined, to: 'wallet' }),
      body({ reference: undefined, to: 'return' }),
    ],
    TRANSACTION_NOT_FOUND: eachPath('id', '999999'),
    WALLET_NOT_FOUND: [body({ to: 'wallet', walletReference: 'PW-none' })],
    TRANSACTION_NOT_PENDING: [again({ to: 'return', reference: 'back-2' })],
  },
  'POST /operator/v1/remittances': {
    INVALID_PARAMETER: each('account', 'SUSPENSE', 'CLEARING'),
    REFERENCE_REUSED: [again({ amount: 0.5 })],
    INSUFFICIENT_FUNDS: each('account', 'STAMP_DUTY'),
  },
  'PATCH /operator/v1/wallets/{reference}': {
    INVALID_PARAMETER: [
      ...each('dailyLimit', -1, 1.001),
      ...each('tier', 4),
      body({ status: undefined, tier: undefined }),
    ],
    WALLET_REVOKED: [revokedWallet],
  },
  'POST /operator/v1/wallets/{reference}/liens': { WALLET_REVOKED: [revokedWallet] },
  'POST /operator/v1/wallets/{reference}/liens/{id}/lift': {
    WALLET_NOT_FOUND: [path({ reference: 'PW-nobody' })],
    LIEN_NOT_FOUND: [
      path({ id: '999999999' }),
      path(async (app) => ({ reference: (await newWallet(app, await app.newPartner())).reference })),
    ],
    LIEN_LIFTED: [again()],
  },
  'POST /operator/v1/wallets/{reference}/revoke': {
    WALLET_NOT_EMPTY: [afterwards('liens', { amount: 5 })],
  },
};

const ofRails: Refusals = {
  'POST /operator/v1/rails/{provider}/compare': {
    INVALID_PARAMETER: each('date', '2026-02-30', '2999-01-01'),
    RAIL_NOT_FOUND: eachPath('provider', 'stripe'),
  },
  'POST /operator/v1/disputes': {
    INVALID_PARAMETER: [
      async (at) => body({ respondBy: inDays(at.server, -1) })(at),
      async (at) => body({ respondBy: inDays(at.server, 367) })(at),
      ...each(
        'evidence',
        [{ link: 'https://files.example/7.pdf' }],
        [{ text: 'a page', link: 'javascript:alert(1)' }],
        Array.from({ length: 21 }, () => ({ text: 'more' })),
      ),
    ],
    TRANSACTION_NOT_FOUND: [...each('transactionReference', 'nothing'), ...each('partnerId', NOBODY)],
    DISPUTE_OPEN: [again()],
    WALLET_REVOKED: [
      after(({ body: given = {} }) =>
        server.owner.query(`update wallets.partner_wallet set revoked_at = now() where partner_id = $1`, [
          given['partnerId'],
        ]),
      ),
    ],
    REFUND_EXCEEDS: each('amount', 5.01),
  },
  'POST /operator/v1/disputes/{id}/evidence': {
    INVALID_PARAMETER: each('link', 'file:///etc/passwd'),
    DISPUTE_STATE_CONFLICT: [after((made, at) => decideDispute(server, idOf(made, at), 'WON'))],
  },
  'POST /operator/v1/disputes/{id}/decide': {
    INVALID_PARAMETER: each('outcome', 'EXPIRED'),
    DISPUTE_STATE_CONFLICT: [
      again({ outcome: 'WON' }),
      after((made, at) => decideDispute(server, idOf(made, at), 'WON')),
    ],
  },
  'POST /operator/v1/inbox/{id}/retry': {
    MESSAGE_BOOKED: [
      after(async (made, at) => {
        const { reference: walletReference } = await newWallet(server, await server.newPartner());
        await operate(at, `/inbox/${idOf(made, at)}/credit`, { walletReference });
      }),
      after((made, at) =>
        server.owner.query('update inbox.message set body_sealed = null where id = $1', [idOf(made, at)]),
      ),
    ],
  },
  'POST /operator/v1/inbox/{id}/credit': {
    MESSAGE_NOT_FOUND: [path({ id: NOBODY })],
    WALLET_NOT_FOUND: each('walletReference', 'PW-nobody'),
    MESSAGE_BOOKED: [afterwards('retry')],
  },
  'POST /operator/v1/inbox/{id}/dismiss': {
    MESSAGE_BOOKED: [
      afterwards('retry'),
      after(async (made, at) => {
        const { reference: walletReference } = await newWallet(server, await server.newPartner());
        await operate(at, `/inbox/${idOf(made, at)}/credit`, { walletReference });
      }),
    ],
  },
  'POST /operator/v1/reconciliation/imports': {
    INVALID_PARAMETER: [
      body({ mapping: undefined, format: 'CSV' }),
      body({ mapping: { ...MAPPING, amount: 'Amount' }, format: 'CSV' }, { names: 'mapping.amount' }),
      body({ mapping: { ...MAPPING, dateFormat: 'DD/MM' }, format: 'CSV' }, { names: 'mapping.dateFormat' }),
      body({ content: '*', encoding: 'base64' }),
      ...each('toleranceDays', 11),
      ...each('from', '20/11/2026', '0000-01-01'),
      ...each('to', '9999-12-31'),
      body({ from: '2026-11-21', to: '2026-11-20' }),
    ],
  },
  'POST /operator/v1/reconciliation/items/{id}/resolve': {
    INVALID_PARAMETER: [
      ...each('action', 'BURN'),
      body({ transactionId: undefined, action: 'MATCH' }),
      body({ account: 'CLEARING', action: 'POST' }),
      body({ nuban: undefined, action: 'BOOK' }),
    ],
    RECONCILIATION_ITEM_NOT_FOUND: [path({ id: NOBODY })],
    TRANSACTION_NOT_FOUND: [body({ action: 'MATCH', transactionId: 999_999, account: undefined })],
    WALLET_NOT_FOUND: [body({ nuban: '0000000000' })],
    RECONCILIATION_ITEM_STATE_CONFLICT: [
      again({ action: 'TIMING', account: undefined }),
      body({ action: 'DISTINCT', account: undefined }),
      async (at) => {
        const { nuban } = await newWallet(server, await server.newPartner());
        const { item } = await newImport(server);
        return { ...(await path({ id: item })(at)), body: { ...REASON, action: 'BOOK', nuban } };
      },
    ],
  },
};

const ofPeople: Refusals = {
  'POST /operator/v1/search': { INVALID_PARAMETER: each('q', undefined, '  ', 'x'.repeat(101)) },
  'POST /operator/v1/customers/find': {
    INVALID_PARAMETER: [
      body({ paytag: undefined, bvn: undefined }),
      body({ paytag: 'ada', bvn: '22222222225' }),
      body({ bvn: '123' }),
      body({ nuban: '12', bvn: undefined }),
      body({ phone: 'ada', bvn: undefined }),
    ],
  },
  'POST /operator/v1/customers/reveal': {
    INVALID_PARAMETER: [
      ...each(
        'ids',
        [],
        Array.from({ length: 101 }, () => NOBODY),
      ),
      ...each('fields', ['password']),
    ],
    CUSTOMER_NOT_FOUND: each('ids', [NOBODY]),
  },
  'POST /operator/v1/customers/{id}/reveal': { INVALID_PARAMETER: each('fields', ['password']) },
  'POST /operator/v1/customers/{id}/correct': {
    INVALID_PARAMETER: [
      body({ firstName: undefined, lastName: undefined }),
      ...each('lastName', '123'),
      ...each('dateOfBirth', '2190-01-01'),
    ],
    NAME_RESERVED: [body({ firstName: 'Zenith', lastName: 'Bank' })],
    CUSTOMER_STATUS_CONFLICT: [afterwards('erase')],
  },
  'POST /operator/v1/customers/{id}/freeze': { CUSTOMER_STATUS_CONFLICT: [again(), afterwards('erase')] },
  'POST /operator/v1/customers/{id}/release': { CUSTOMER_STATUS_CONFLICT: [again()] },
  'POST /operator/v1/customers/{id}/erase': { CUSTOMER_STATUS_CONFLICT: [afterwards('freeze')] },
  'POST /operator/v1/customers/{id}/hand-back-bvn': { CUSTOMER_STATUS_CONFLICT: [afterwards('release')] },
  'POST /operator/v1/sessions/{id}/end': { SESSION_STATUS_CONFLICT: [again()] },
  'POST /operator/v1/operators/sessions/{id}/end': { SESSION_NOT_FOUND: [again()] },
  'POST /operator/v1/throttles/{id}/lift': { THROTTLE_NOT_FOUND: [again()] },
};

const ofOperators: Refusals = {
  'POST /operator/v1/operators': {
    INVALID_PARAMETER: each('name', 'Bola, approved by operator:root', 'Bo\u202ela'),
    OPERATOR_NAME_TAKEN: [
      ...each('name', 'Root'),
      again(),
      after((made) =>
        server.operate('POST', '/operators', { ...made.body, name: String(made.body?.['name']).toUpperCase() }),
      ),
    ],
  },
  'PATCH /operator/v1/operators/{id}': { OPERATOR_STATUS_CONFLICT: [again(), ofThemselves('viewer')] },
  'POST /operator/v1/operators/{id}/rotate': { OPERATOR_STATUS_CONFLICT: [afterwards('disable')] },
  'POST /operator/v1/operators/{id}/disable': { OPERATOR_STATUS_CONFLICT: [again(), ofThemselves()] },
  'POST /operator/v1/operators/{id}/enable': { OPERATOR_STATUS_CONFLICT: [again()] },
  'POST /operator/v1/approvals/{id}/approve': {
    APPROVAL_OWN: [byRoot],
    APPROVAL_NOT_PENDING: [again()],
    APPROVAL_EXPIRED: [after(async () => server.clock.advance(DAY_MS))],
  },
  'POST /operator/v1/approvals/{id}/reject': {
    APPROVAL_NOT_PENDING: [again()],
    APPROVAL_EXPIRED: [after(async () => server.clock.advance(DAY_MS))],
  },
  'POST /operator/v1/keys/rotate': { SIGNING_KEY_TOO_NEW: [again({ immediately: false })] },
  'POST /operator/v1/keys/{kid}/revoke': { SIGNING_KEY_REVOKED: [again()] },
};

/** An admin who does to themselves what an admin does to others. */
function ofThemselves(role?: string): Row {
  return async (at) => {
    const admin = await newOperator(server, 'admin');
    const made = await path({ id: admin.id })(at);
    const authorization = `Bearer ${admin.token}`;
    return { ...made, headers: { authorization }, body: { ...made.body, ...(role && { role }) } };
  };
}

testRefusals(server, {
  paths: /^\/operator\/v1\//,
  good: [
    async (app) => {
      const good = await goodRequestsOfOperator(app);
      const plain = await plainRequestsOfOperator(app);
      const byType = ['POST /operator/v1/transactions', 'POST /operator/v1/reconciliation/items/{id}/resolve'];
      return { ...good, ...plain, ...Object.fromEntries(byType.map((name) => [name, good[name]!])) };
    },
  ],
  refusals: { ...reads, ...ofPartnersAndApplications, ...ofMoney, ...ofRails, ...ofPeople, ...ofOperators },
  stories: [
    'TRANSACTION_NOT_DISPUTABLE',
    'BANK_FILE_DOES_NOT_TIE',
    'BANK_FILE_UNREADABLE',
    'BANK_FILE_UNPROVED',
    'CHECK_RUNNING',
    'BALANCE_EXCEEDED',
    'CONTACT_NOT_PROVEN',
    'DELIVERY_PURGED',
    'RAIL_PROVIDER_UNAVAILABLE',
    'PAYOUT_STATE_CONFLICT',
    'PROVIDER_NOT_CONFIGURED',
    'REFERENCE_REUSED',
    'INSUFFICIENT_FUNDS',
    'TRANSACTION_NOT_REFUNDABLE',
    'TRANSACTION_NOT_REVERSIBLE',
    'WALLET_REVOKED',
    'WALLET_BLOCKED',
    'WALLET_PND',
    'WALLET_PNC',
    'CURRENCY_MISMATCH',
    'LIEN_OF_DISPUTE',
    'CUSTOMER_NOT_EMPTY',
    'ENDPOINT_NOT_FOUND',
    'PARTNER_NOT_FOUND',
    'POST /operator/v1/approvals/{id}/approve',
  ],
});
