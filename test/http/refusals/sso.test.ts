import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import {
  createPayTag,
  newCustomer,
  newPerson,
  startReset,
  startSession,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import {
  type At,
  after,
  again,
  body,
  each,
  eachPath,
  eachQuery,
  NOBODY,
  path,
  query,
  type Refusals,
  type Row,
  testRefusals,
} from '../../support/refusals.ts';
import { changeWallet, type LoggedIn, loggedIn, revokeWallet } from '../../support/wallets.ts';
import { goodRequestsOfSso } from '../every-operation/good-requests.ts';
import { plainRequestsOfSso } from '../every-operation/plain-requests.ts';
import { approvedClaim, pendingClaim, pendingLink } from '../sso/consents.ts';

const server = useApp({
  RATE_LIMIT_LOGINS_PER_M: '0',
  RATE_LIMIT_FAILED_LOGINS_PER_H: '0',
  RATE_LIMIT_CODES_PER_D: '0',
  RATE_LIMIT_MESSAGES_PER_D: '0',
});

/** The good request by a customer of her own, to whom something has happened. */
const by =
  (happens: (customer: LoggedIn) => Promise<unknown>): Row =>
  async ({ good }) => {
    const ada = await loggedIn(server, await server.newPartner({ float: 100 }), 100);
    await happens(ada);
    return { ...(await good()), headers: ada.headers };
  };
const nothing = async () => undefined;
const linkBank = ({ headers }: LoggedIn) =>
  server.call('POST', '/v2/sso/wallet/bank-account', {
    headers,
    payload: { accountNumber: '0123456789', bankCode: '058' },
  });
const withStatus = (status: string) =>
  by(async (ada) => {
    await linkBank(ada);
    await changeWallet(server, ada.wallet, { status });
  });
const revoked = by(({ wallet }) => revokeWallet(server, wallet));
/** The good request of a session of another partner. */
const inSession =
  (make: (partner: Awaited<ReturnType<typeof server.newPartner>>) => Promise<string>, name = 'session') =>
  async (at: At) => {
    const partner = await server.newPartner();
    return { ...(await path({ [name]: await make(partner) })(at)), headers: partner.headers };
  };
const withoutEmail = () => {
  const { email: _email, ...person } = newPerson();
  return person;
};
const ofPersons = async (partner: Awaited<ReturnType<typeof server.newPartner>>): Promise<string> => {
  const person = newPerson();
  await createPayTag(server, partner, person);
  return validatedSession(server, partner, person);
};
/** By the names of what a partner made for somebody who has no password. */
const madeByPartner: Row = async ({ good }) => {
  const partner = await server.newPartner();
  const person = newPerson();
  await createPayTag(server, partner, person);
  const made = await good();
  return { ...made, headers: partner.headers, body: { ...made.body, paytag: person.paytag } };
};
const withChannel =
  (name: string): Row =>
  async (at) => ({
    ...(await inSession((partner) => startSession(server, partner, withoutEmail()), name)(at)),
    query: { channel: 'email' },
  });
const dispatch = (name: string) => ({
  OTP_CHANNEL_UNAVAILABLE: [withChannel(name)],
  OTP_ALREADY_VALIDATED: [inSession((partner) => validatedSession(server, partner, newPerson()), name)],
});
const weak = { WEAK_PASSWORD: each('password', 'short-7', 'password1', 'adaobi'.repeat(2)) };
const unknownPayTags = each('paytag', 'nobody-here', 'no such tag!');

const refusals: Refusals = {
  'POST /v2/sso/auth-code': {
    INVALID_PARAMETER: [
      query({ code_challenge_method: 'S256' }, { names: 'code_challenge' }),
      query(
        { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'plain' },
        { names: 'code_challenge_method' },
      ),
    ],
    INVALID_CUSTOMER_CREDENTIALS: each('password', 'Kilimanjaro-78'),
    PASSWORD_NOT_SET: [madeByPartner],
    PAYTAG_NOT_FOUND: [...unknownPayTags, ...each('paytag', 'a'.repeat(60))],
  },
  'GET /v2/sso/token': {
    INVALID_AUTH_CODE: [
      query({ 'auth-code': 'no-such-code' }),
      again(),
      async ({ good }) => ({ ...(await good()), headers: (await server.newPartner()).headers }),
    ],
  },
  'GET /v2/sso/verify-tag': { INVALID_PAYTAG: eachQuery('paytag', 'ab', 'ada..obi', '.ada', 'adä', 'a'.repeat(31)) },
  'POST /v2/sso/create-tag': {
    INVALID_PARAMETER: [
      ...each('dateOfBirth', '1990-02-30', '2990-01-01', '05/17/1990', '17-05-90'),
      ...each('phone', '012345678'),
      ...each('email', 'ada'),
    ],
    INVALID_PAYTAG: each('paytag', 'a..b'),
    PAYTAG_RESERVED: each('paytag', 'adm1n'),
    BVN_NOT_FOUND: each('bvn', '22222222201'),
    BVN_MISMATCH: each('bvn', '22222222202'),
    BVN_ALREADY_REGISTERED: [
      async (at) => body({ bvn: (await newCustomer(server, await server.newPartner())).bvn })(at),
    ],
  },
  'GET /v2/sso/{session}/otp': {
    INVALID_PARAMETER: [
      { channel: 'sms', type: 'email' },
      { channel: 'telegram', type: 'email' },
      { type: 'whatsap' },
      { foo: 'bar' },
    ].map((asked) => query(asked, { names: 'channel' })),
    ...dispatch('session'),
  },
  'GET /v2/sso/create-tag/{onboarding}/otp': dispatch('onboarding'),
  'POST /v2/sso/{session}/otp': {
    OTP_INVALID: each('otp', '654321'),
    OTP_NOT_SENT: [inSession((partner) => startSession(server, partner, newPerson()))],
    OTP_ALREADY_VALIDATED: [again()],
  },
  'POST /v2/sso/create-tag/{session}/complete': {
    ...weak,
    INVALID_PAYTAG: each('paytag', 'a..b'),
    PAYTAG_RESERVED: each('paytag', 'supp0rt'),
    SESSION_NOT_VALIDATED: [inSession((partner) => startSession(server, partner, newPerson()))],
    PAYTAG_TAKEN: [async (at) => body({ paytag: (await newCustomer(server, await server.newPartner())).paytag })(at)],
    PAYTAG_MISMATCH: [inSession(ofPersons)],
    SESSION_COMPLETED: [again({ paytag: 'another.tag' })],
  },
  'POST /v2/sso/password': { PASSWORD_NOT_SET: [madeByPartner], PAYTAG_NOT_FOUND: unknownPayTags },
  'POST /v2/sso/password/{session}/complete': {
    ...weak,
    SESSION_NOT_FOUND: [inSession((partner) => validatedSession(server, partner, newPerson()))],
    SESSION_NOT_VALIDATED: [
      inSession(async (partner) => {
        const { paytag } = await newCustomer(server, partner);
        return (await startReset(server, partner, paytag)).json<{ session: string }>().session;
      }),
    ],
    SESSION_COMPLETED: [again({ password: 'Another-one-entirely-3' })],
  },
  'GET /v2/sso': {
    SESSION_NOT_FOUND: [
      query({ session: 'nobody' }),
      async ({ good }) => ({ ...(await good()), headers: (await server.newPartner()).headers }),
      async (at) => {
        const partner = await server.newPartner();
        const { paytag } = await newCustomer(server, partner);
        const session = await validatedReset(server, partner, paytag);
        return { ...(await query({ session })(at)), headers: partner.headers };
      },
    ],
  },
  'DELETE /v2/sso/consent': {
    CONSENT_NOT_FOUND: [
      query({ consentId: NOBODY }),
      by(nothing),
      async (at) => {
        const ada = await loggedIn(server, await server.newPartner());
        const { link } = await pendingLink(server, ada);
        return { ...(await query({ consentId: link.id })(at)), headers: ada.headers };
      },
    ],
    CLAIM_NOT_APPROVED: [
      async (at) => {
        const ada = await loggedIn(server, await server.newPartner());
        const { id } = await pendingClaim(server, await newApplication(server), ada);
        return { ...(await query({ consentId: id })(at)), headers: ada.headers };
      },
      async (at) => {
        const ada = await loggedIn(server, await server.newPartner());
        const { claim } = await approvedClaim(server, await newApplication(server), ada);
        const made = { ...(await query({ consentId: claim.id })(at)), headers: ada.headers };
        await at.send(made);
        return made;
      },
    ],
  },
  'PUT /v2/sso/contact': {
    INVALID_PARAMETER: [
      body({ phone: undefined, email: undefined }),
      body({ phone: '08037650042', email: 'new@example.com' }),
      body({ phone: '012345678', email: undefined }),
      ...each('email', 'ada'),
      async ({ good }) => {
        const ada = await loggedIn(server, await server.newPartner());
        return { ...(await good()), headers: ada.headers, body: { email: ada.email }, names: 'email' };
      },
    ],
  },
  'GET /v2/sso/wallet': { WALLET_NOT_FOUND: [revoked] },
  'GET /v2/sso/wallet/limit': { WALLET_NOT_FOUND: [revoked] },
  'GET /v2/sso/transaction': { WALLET_NOT_FOUND: [revoked] },
  'POST /v2/sso/transaction/statement': {
    WALLET_NOT_FOUND: [revoked],
    INVALID_PARAMETER: [
      ...eachQuery('from', '2026-02-30', 'yesterday', '2999-01-01', '0000-01-01'),
      ...eachQuery('to', '2026-11-01T10:00:00', '2999-01-01'),
      query({ to: '2026-03-01', from: '2026-03-02' }),
      query({ from: '2020-01-01', to: '2021-06-01' }),
    ],
  },
  'GET /v2/sso/transaction/statement/{reference}': {
    INVALID_PARAMETER: eachPath('reference', 'STM-%00'),
    STATEMENT_NOT_FOUND: [by(nothing)],
  },
  'GET /v2/sso/qr': {
    PAYTAG_NOT_FOUND: [
      by(({ paytag }) =>
        server.owner.query(`update tags.tag set status = 'CLOSED', closed_at = now() where handle = $1`, [paytag]),
      ),
    ],
  },
  'POST /v2/sso/transaction': {
    SELF_TRANSFER: [
      async ({ good }) => {
        const ada = await loggedIn(server, await server.newPartner({ float: 100 }), 100);
        const made = await good();
        return { ...made, headers: ada.headers, body: { ...made.body, paytag: ada.paytag } };
      },
    ],
    PAYTAG_NOT_FOUND: each('paytag', 'nobody.here', 'x', 'not a tag'),
    REFERENCE_REUSED: [again({ amount: 2 })],
    INSUFFICIENT_FUNDS: [after(nothing), by(nothing)].map((row) => async (at: At) => {
      const made = await row(at);
      return { ...made, body: { ...made.body, amount: 99_999 } };
    }),
    WALLET_BLOCKED: [withStatus('Blocked')],
    WALLET_PND: [withStatus('PND')],
  },
  'GET /v2/sso/wallet/bank-account': { BANK_ACCOUNT_NOT_LINKED: [by(nothing)] },
  'POST /v2/sso/wallet/bank-account': { BANK_ACCOUNT_NOT_FOUND: each('accountNumber', '0123456781') },
  'POST /v2/sso/payout': {
    BANK_ACCOUNT_NOT_LINKED: [by(nothing)],
    REFERENCE_REUSED: [again({ amount: 2 })],
    AMOUNT_TOO_SMALL: each('amount', 0.5),
    INSUFFICIENT_FUNDS: each('amount', 99_999),
    WALLET_BLOCKED: [withStatus('Blocked')],
    WALLET_PND: [withStatus('PND')],
  },
};

testRefusals(server, {
  paths: /^\/v2\/sso(\/|$)/,
  good: [goodRequestsOfSso, plainRequestsOfSso],
  refusals,
  stories: [
    'BVN_PROVIDER_UNAVAILABLE',
    'MESSAGING_PROVIDER_UNAVAILABLE',
    'BANK_PROVIDER_UNAVAILABLE',
    'PROVIDER_NOT_CONFIGURED',
    'ACCOUNT_NAME_MISMATCH',
    'NAME_RESERVED',
    'SESSION_EXPIRED',
    'SESSION_COMPLETED',
    'OTP_EXPIRED',
    'OTP_ATTEMPTS_EXCEEDED',
    'OTP_COOLDOWN',
    'OTP_SENDS_EXCEEDED',
    'OTP_CHANNEL_UNAVAILABLE',
    'BVN_ALREADY_REGISTERED',
    'EMV_QR_NOT_CONFIGURED',
    'LIMIT_EXCEEDED',
    'LINK_ENDED',
    'BALANCE_EXCEEDED',
    'PAYTAG_SUSPENDED',
    'WALLET_PNC',
    'AMOUNT_TOO_SMALL',
    'WALLET_NOT_FOUND',
  ],
  stranger: async (app) => ({ ...(await app.newPartner()).headers }),
  notHidden: ['GET /v2/sso/transaction/statement/{reference}'],
});
