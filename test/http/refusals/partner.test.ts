import { useApp } from '../../support/app.ts';
import { newEndpoint } from '../../support/deliveries.ts';
import { decideDispute, inDays } from '../../support/disputes.ts';
import { newCustomer } from '../../support/onboarding.ts';
import {
  type At,
  after,
  again,
  body,
  each,
  eachPath,
  headers,
  NOBODY,
  path,
  type Refusals,
  type Row,
  segmentOf,
  testRefusals,
} from '../../support/refusals.ts';
import { newTerminal, payAt } from '../../support/terminals.ts';
import { changeWallet, fundedWallet, kycWallet, moveMoney, newReference, refund } from '../../support/wallets.ts';
import { type Good, goodRequestsOfPartners } from '../every-operation/good-requests.ts';
import { plainRequestsOfPartners } from '../every-operation/plain-requests.ts';

const server = useApp();

const idOf = (made: Good, { operation }: At, name = 'id') => segmentOf(operation, made, name);
/** The good request about a new wallet of its own with 100 naira, in this status. */
const ofWallet =
  (status: string): Row =>
  async (at) => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 100, reference: newReference() });
    await changeWallet(server, wallet, { status });
    return { ...(await path({ reference: wallet })(at)), headers: partner.headers };
  };
const ofPointsWallet: Row = async (at) => {
  const partner = await server.newPartner();
  const wallet = await kycWallet(server, partner, 'FP');
  return { ...(await path({ reference: wallet })(at)), headers: partner.headers };
};
/** The good request about the refund of 100 naira, once what is done to them has happened. */
const ofRefund =
  (happens: (given: Awaited<ReturnType<typeof fundedWallet>>) => Promise<unknown>): Row =>
  async ({ good }) => {
    const given = await fundedWallet(server, 100);
    await happens(given);
    return { ...(await good()), url: '/v2/partner/transaction/opening/refund', headers: given.partner.headers };
  };

const movement = {
  WALLET_BLOCKED: [ofWallet('Blocked')],
  REFERENCE_REUSED: [again({ amount: 11 }), again({ comment: 'x' })],
};
const targets = {
  INVALID_PARAMETER: each('url', 7, 'acme', 'ftp://acme.example/', 'https://a:b@acme.example/'),
  WEBHOOK_TARGET_REFUSED: each(
    'url',
    'https://acme.example:25/',
    'https://10.0.0.1/hooks',
    'http://169.254.169.254/',
    'https://[::ffff:a00:1]/',
  ),
};
/** What stands in the header of a terminal. */
const tills = {
  INVALID_PARAMETER: ['', ' '].map((terminal) => headers({ 'x-terminal': terminal })),
  TERMINAL_NOT_FOUND: [
    headers({ 'x-terminal': 'SN-nobody' }),
    async (at: At) => headers({ 'x-terminal': await newTerminal(server, await server.newPartner()) })(at),
  ],
};
/** A split of another terminal of the same partner. */
const splitElsewhere: Row = async ({ good, operation }) => {
  const made = await good();
  const { id } = await ownerOf(String(made.headers['x-terminal']));
  const serialNumber = `SN-OTHER-${newReference()}`;
  const answer = await server.operate('POST', '/terminals', { partnerId: id, serialNumber });
  if (answer.statusCode !== 201) throw new Error(`${operation}: ${answer.body}`);
  return { ...made, headers: { ...made.headers, 'x-terminal': serialNumber } };
};
const ownerOf = async (terminal: string): Promise<{ id: string }> => {
  const { partnerId } = (await server.operate('GET', `/terminals/${terminal}`)).json<{ partnerId: string }>();
  return { id: partnerId };
};
const payPart = (amount: number): Row =>
  after((made, at) => payAt(server, String(made.headers['x-terminal']), { amount, split: idOf(made, at, 'split') }));

const ofDefaultEndpoint: Row = async (at) => {
  const { headers: own } = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  const listed = await server.call('GET', '/v2/partner/webhook/endpoints', { headers: own });
  const { items } = listed.json<{ items: { id: string }[] }>();
  return { ...(await path({ id: items[0]?.id ?? '' })(at)), headers: own };
};

const refusals: Refusals = {
  'POST /v2/partner/paytag': {
    INVALID_PARAMETER: [
      ...each('firstName', '<b>', 'Ada2', 'Ad\u0660', "'-."),
      ...each('lastName', '12345', 'OBI%$#'),
      ...each('otherName', 'A\u202eda', 'Verified ✔', 'Ngozi 👑', '(Ngozi)', 'Ng\u3164ozi'),
      ...each('phone', '01 234 5678', '0803123'),
      ...each('email', 'ada', 'a@b.com\r\nBcc: c@d.com'),
      ...each('dateOfBirth', '1993-02-29', '2999-01-01'),
      ...each('imageUrl', 'javascript:alert(1)', 'https://user:word@images.example/a.png'),
    ],
    INVALID_PAYTAG: each('tag', 'ad', 'a__b', 'аda'),
    PAYTAG_RESERVED: each('tag', 'adm1n', '8031234567', '234.803.123.4567', '0000000010', 'tel-08031234567'),
    BVN_NOT_FOUND: each('bvn', '22222222201'),
    BVN_MISMATCH: each('bvn', '22222222202'),
    PAYTAG_TAKEN: [
      async (at) => {
        const { paytag } = await newCustomer(server, await server.newPartner());
        return body({ tag: `@${paytag.toUpperCase()}` })(at);
      },
    ],
    BVN_ALREADY_REGISTERED: [
      async (at) => body({ bvn: (await newCustomer(server, await server.newPartner())).bvn })(at),
    ],
  },
  'POST /v2/partner/paytag/bvn/{bvn}': {
    INVALID_PARAMETER: eachPath('bvn', '2221234567', '222123456789', '2221234567a', '%D9%A2'.repeat(11), '%00'),
    PAYTAG_NOT_FOUND: eachPath('bvn', '22299999999'),
  },
  'POST /v2/partner/wallet': {
    INVALID_PARAMETER: [
      body({ kyc: undefined, profileId: undefined }),
      body({ kyc: {}, profileId: undefined }),
      body({ profileId: 0, kyc: undefined }, { names: 'kyc' }),
      body({ kyc: { firstName: 'Chidi' } }, { names: 'kyc.lastName' }),
      ...['123', '<b>Ada', 'O\u202ebi'].flatMap((name) => [
        body({ kyc: { firstName: name, lastName: 'Okafor' } }, { names: 'kyc.firstName' }),
        body({ kyc: { firstName: 'Chidi', lastName: name } }, { names: 'kyc.lastName' }),
      ]),
      ...each('profileId', 2 ** 53),
    ],
    PROFILE_NOT_FOUND: [
      body({ profileId: 41, kyc: undefined }),
      async ({ good }) => ({ ...(await good()), headers: (await server.newPartner()).headers, body: { profileId: 7 } }),
    ],
    PROFILE_MISMATCH: [body({ kyc: { firstName: 'Ngozi', lastName: 'Okafor' } })],
    NAME_RESERVED: [body({ kyc: { firstName: 'Zenith', lastName: 'Bank' }, profileId: 8 })],
  },
  'POST /v2/partner/wallet/{reference}/credit': {
    ...movement,
    INSUFFICIENT_FUNDS: [body({ amount: 100_000.01 })],
    WALLET_PNC: [ofWallet('PNC')],
  },
  'POST /v2/partner/wallet/{reference}/debit': {
    ...movement,
    REFERENCE_REUSED: [
      ...movement.REFERENCE_REUSED,
      after(({ url, ...made }, { send }) => send({ ...made, url: url.replace('debit', 'credit') })),
    ],
    INSUFFICIENT_FUNDS: [body({ amount: 100_000.01 })],
    WALLET_PND: [ofWallet('PND')],
  },
  'POST /v2/partner/wallet/{reference}/payout': {
    REFERENCE_REUSED: [again({ amount: 2 })],
    AMOUNT_TOO_SMALL: each('amount', 0.5),
    INSUFFICIENT_FUNDS: each('amount', 99_999),
    CURRENCY_MISMATCH: [ofPointsWallet],
    WALLET_BLOCKED: [ofWallet('Blocked')],
    WALLET_PND: [ofWallet('PND')],
  },
  'POST /v2/partner/wallet/{reference}/account': { CURRENCY_MISMATCH: [ofPointsWallet] },
  'POST /v2/partner/transaction/{reference}/refund': {
    TRANSACTION_NOT_FOUND: [
      async ({ good }) => {
        const other = await server.newPartner({ float: 5 });
        return { ...(await good()), url: `/v2/partner/transaction/opening-${other.id}/refund`, headers: other.headers };
      },
    ],
    REFERENCE_REUSED: [again({ amount: 1 })],
    REFUND_EXCEEDS: each('amount', 10.01),
    TRANSACTION_NOT_REFUNDABLE: [
      async (at) => {
        const { partner } = await fundedWallet(server, 100);
        await refund(server, partner, 'opening', { reference: 'given-back', amount: 1 });
        return { ...(await path({ reference: 'given-back' })(at)), headers: partner.headers };
      },
    ],
    INSUFFICIENT_FUNDS: [
      ofRefund(({ partner, wallet }) =>
        moveMoney(server, partner, wallet, 'debit', { amount: 60, reference: 'spent' }),
      ),
    ],
    WALLET_BLOCKED: [ofRefund(({ wallet }) => changeWallet(server, wallet, { status: 'Blocked' }))],
    WALLET_PND: [ofRefund(({ wallet }) => changeWallet(server, wallet, { status: 'PND' }))],
  },
  'GET /v2/partner/transaction/{reference}': { INVALID_PARAMETER: eachPath('reference', 'a%20b', 'x'.repeat(101)) },
  'GET /v2/partner/wallet/{reference}': { INVALID_PARAMETER: eachPath('reference', '%00', '%20', 'x'.repeat(101)) },
  'GET /v2/partner/terminal/splits': tills,
  'GET /v2/partner/terminal/split/{split}': {
    ...tills,
    SPLIT_NOT_FOUND: [path({ split: 'SPL-nobody' }), splitElsewhere],
  },
  'POST /v2/partner/terminal/split': {
    INVALID_PARAMETER: [
      ...tills.INVALID_PARAMETER,
      ...each('expiresAt', '2020-01-01T10:00:00Z', '0001-01-01T00:00:00+23:59'),
    ],
    TERMINAL_NOT_FOUND: tills.TERMINAL_NOT_FOUND,
    REFERENCE_REUSED: [
      { amount: 11 },
      { title: 'Other' },
      { description: 'Other' },
      { expiresAt: '2099-01-01T10:00:00Z' },
    ].map(
      (other): Row =>
        async ({ good, send }) => {
          const made = await good();
          const named = { ...made, body: { ...made.body, reference: newReference() } };
          await send(named);
          return { ...named, body: { ...named.body, ...other } };
        },
    ),
  },
  'POST /v2/partner/terminal/split/{split}/cancel': {
    ...tills,
    SPLIT_NOT_FOUND: [path({ split: 'SPL-nobody' }), splitElsewhere],
    SPLIT_NOT_CANCELLABLE: [again(), payPart(4), payPart(10)],
  },
  'POST /v2/partner/dispute/{id}/evidence': {
    INVALID_PARAMETER: each('link', 'data:,a'),
    DISPUTE_STATE_CONFLICT: [
      async (at) => {
        const { partner } = await fundedWallet(server, 5);
        const evidence = [{ text: 'a letter' }];
        const given = { partnerId: partner.id, transactionReference: 'opening', reason: 'r', evidence };
        const opened = await server.operate('POST', '/disputes', { ...given, respondBy: inDays(server, 7) });
        const { id } = opened.json<{ id: string }>();
        await decideDispute(server, id, 'WON');
        return { ...(await path({ id })(at)), headers: partner.headers };
      },
    ],
  },
  'PUT /v2/partner/webhook': targets,
  'PUT /v2/partner/webhook/contact': { INVALID_PARAMETER: each('email', 'nobody') },
  'POST /v2/partner/webhook/test': {
    WEBHOOK_URL_NOT_SET: [async ({ good }) => ({ ...(await good()), headers: (await server.newPartner()).headers })],
  },
  'POST /v2/partner/webhook/resume': {
    RECEIVER_PAUSED_BY_OPERATOR: [
      async ({ good }) => {
        const { id, headers: own } = await server.newPartner();
        await server.operate('POST', `/receivers/${id}/pause`, { reason: 'a complaint' });
        return { ...(await good()), headers: own };
      },
    ],
  },
  'POST /v2/partner/webhook/secret/rotate': { SECRET_OVERLAP_RUNNING: [again()] },
  'POST /v2/partner/webhook/deliveries/{id}/resend': { DELIVERY_NOT_FOUND: [path({ id: NOBODY })] },
  'POST /v2/partner/webhook/replay': {
    INVALID_PARAMETER: [...each('status', 'PENDING'), ...each('dryRun', 1), ...each('after', '7')],
  },
  'POST /v2/partner/webhook/endpoints': targets,
  'PATCH /v2/partner/webhook/endpoints/{id}': targets,
  'POST /v2/partner/webhook/endpoints/{id}/secret/rotate': { SECRET_OVERLAP_RUNNING: [again()] },
  'DELETE /v2/partner/webhook/endpoints/{id}': { ENDPOINT_IS_DEFAULT: [ofDefaultEndpoint] },
  'POST /v2/partner/webhook/endpoints/{id}/test': {
    WEBHOOK_URL_NOT_SET: [
      async (at) => {
        const made = await ofDefaultEndpoint(at);
        await server.call('PUT', '/v2/partner/webhook', { headers: made.headers, payload: { url: null } });
        return made;
      },
    ],
  },
  'POST /v2/partner/webhook/endpoints/{id}/resume': {
    RECEIVER_PAUSED_BY_OPERATOR: [
      async (at) => {
        const partner = await server.newPartner();
        const id = await newEndpoint(server, partner);
        await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'a complaint', endpointId: id });
        return { ...(await path({ id })(at)), headers: partner.headers };
      },
    ],
  },
};

testRefusals(server, {
  paths: /^\/v2\/partner\//,
  good: [goodRequestsOfPartners, plainRequestsOfPartners],
  refusals,
  stories: [
    'BVN_PROVIDER_UNAVAILABLE',
    'ENDPOINT_LIMIT',
    'ENDPOINT_NOT_FOUND',
    'DELIVERY_PURGED',
    'DISPUTE_EXPIRED',
    'PROVIDER_NOT_CONFIGURED',
    'INBOUND_PROVIDER_UNAVAILABLE',
    'ACCOUNT_NAME_MISMATCH',
    'BANK_ACCOUNT_NOT_FOUND',
    'BANK_PROVIDER_UNAVAILABLE',
    'NAME_RESERVED',
    'BALANCE_EXCEEDED',
    'WALLET_REVOKED',
  ],
  stranger: async (app) => ({ ...(await app.newPartner()).headers }),
  notHidden: ['POST /v2/partner/paytag/bvn/{bvn}'],
});
