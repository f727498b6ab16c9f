import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { answerConsent, newClaim, newSides } from '../../support/claims.ts';
import { type Described, documentUrls, operationsOf, readDocument, requestOf } from '../../support/described.ts';
import { customerToken, newCustomer } from '../../support/onboarding.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

const server = useApp({ RATE_LIMIT_CALLS_PER_S: '1000', RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: '0' });
const REASON = { reason: 'a complaint' };

type Headers = Record<string, string>;
type Caller = 'partner' | 'customer' | 'application' | 'operator';
type Refusal = readonly [status: 401 | 403, errorCode: string];

/** Headers that an operation which asks for this caller refuses, and how. */
interface Fault {
  what: string;
  headers: () => Headers;
  refusal: Refusal;
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const credentials = {
  partner: {} as Headers,
  otherPartner: {} as Headers,
  revokedKey: {} as Headers,
  suspendedPartner: {} as Headers,
  customer: '',
  expiredCustomer: '',
  customerElsewhere: '',
  suspendedPartnersCustomer: '',
  application: '',
  expiredApplication: '',
  suspendedApplication: '',
  attestation: '',
};

async function newPartnerWithCustomer() {
  const partner = await server.newPartner();
  const { paytag } = await newCustomer(server, partner);
  return { ...partner, paytag, token: await customerToken(server, partner, paytag) };
}
const tokenOf = ({ headers }: { headers: { authorization: string } }) => headers.authorization.replace('Bearer ', '');

beforeAll(async () => {
  const partner = await newPartnerWithCustomer();
  const sides = await newSides(server);
  Object.assign(credentials, { expiredCustomer: partner.token, expiredApplication: tokenOf(sides.owner) });
  const { consentToken } = await newClaim(server, sides);
  const attestation = (await answerConsent(server, sides.owner, consentToken, 'approve')).json().data.token;
  server.clock.advance(3_600_000);

  const elsewhere = await newPartnerWithCustomer();
  const revoked = await server.newPartner();
  await server.owner.query('update partners.api_key set revoked_at = now() where partner_id = $1', [revoked.id]);
  const suspended = await newPartnerWithCustomer();
  await server.operate('POST', `/partners/${suspended.id}/suspend`, REASON);
  const suspendedApplication = await newApplication(server);
  await server.operate('POST', `/applications/${suspendedApplication.applicationId}/suspend`, REASON);
  Object.assign(credentials, {
    attestation,
    partner: partner.headers,
    otherPartner: elsewhere.headers,
    revokedKey: revoked.headers,
    suspendedPartner: suspended.headers,
    customer: await customerToken(server, partner, partner.paytag),
    customerElsewhere: elsewhere.token,
    suspendedPartnersCustomer: suspended.token,
    application: tokenOf(await newApplication(server)),
    suspendedApplication: tokenOf(suspendedApplication),
  });
});

const partnerRefused: Refusal = [401, 'INVALID_CREDENTIALS'];
const changed = (change: () => Headers): (() => Headers) => {
  return () => ({ ...credentials.partner, ...bearer(credentials.customer), ...change() });
};
const partnerFaults: Fault[] = [
  { what: 'no credentials', headers: () => ({}), refusal: partnerRefused },
  { what: 'no client id', headers: changed(() => ({ 'x-client-id': '' })), refusal: partnerRefused },
  { what: 'no API key', headers: changed(() => ({ 'x-api-key': '' })), refusal: partnerRefused },
  { what: 'an unknown client id', headers: changed(() => ({ 'x-client-id': 'pc_unknown' })), refusal: partnerRefused },
  { what: 'a wrong API key', headers: changed(() => ({ 'x-api-key': 'sk_sandbox_wrong' })), refusal: partnerRefused },
  {
    what: 'the API key of another partner',
    headers: changed(() => ({ 'x-api-key': credentials.otherPartner['x-api-key'] ?? '' })),
    refusal: partnerRefused,
  },
  {
    what: 'a client id with a blank after it, and an API key cut short',
    headers: () => ({
      'x-client-id': `${credentials.partner['x-client-id']} `,
      'x-api-key': credentials.partner['x-api-key']?.slice(0, -1) ?? '',
    }),
    refusal: partnerRefused,
  },
  { what: 'a revoked API key', headers: changed(() => credentials.revokedKey), refusal: partnerRefused },
  {
    what: 'an API key of another environment',
    headers: changed(() => ({
      'x-api-key': credentials.partner['x-api-key']?.replace('sk_sandbox_', 'sk_live_') ?? '',
    })),
    refusal: [401, 'KEY_ENVIRONMENT_MISMATCH'],
  },
  {
    what: 'the credentials of a suspended partner',
    headers: () => ({ ...credentials.suspendedPartner, ...bearer(credentials.suspendedPartnersCustomer) }),
    refusal: [403, 'PARTNER_SUSPENDED'],
  },
];

/** Bearer tokens, each refused in the same way; the first is none at all. */
const tokenFaults = (tokens: readonly [what: string, authorization: () => string | undefined][], refusal: Refusal) =>
  tokens.map(
    ([what, authorization]): Fault => ({
      what,
      headers: () => {
        const value = authorization();
        return value === undefined ? {} : { authorization: value };
      },
      refusal,
    }),
  );

const customerFaults = tokenFaults(
  [
    ['no token', () => undefined],
    ['an empty Authorization', () => ''],
    ['a token that we did not sign', () => 'Bearer x.y.z'],
    ['the token as a password', () => `Basic ${credentials.customer}`],
    ['an expired token', () => `Bearer ${credentials.expiredCustomer}`],
    ['the token of another partner’s customer', () => `Bearer ${credentials.customerElsewhere}`],
    ['an application token', () => `Bearer ${credentials.application}`],
    ['the operator’s token', () => `Bearer ${OPERATOR_TOKEN}`],
  ],
  [401, 'INVALID_CUSTOMER_TOKEN'],
).map((fault) => ({ ...fault, headers: () => ({ ...credentials.partner, ...fault.headers() }) }));

const applicationFaults = [
  ...tokenFaults(
    [
      ['no token', () => undefined],
      ['an empty token', () => 'Bearer '],
      ['a token that is none', () => 'Bearer nonsense'],
      ['a token that we did not sign', () => 'Bearer x.y.z'],
      ['a password', () => 'Basic YTpi'],
      ['an expired token', () => `Bearer ${credentials.expiredApplication}`],
      ['a customer token', () => `Bearer ${credentials.customer}`],
      ['an attestation', () => `Bearer ${credentials.attestation}`],
      ['the operator’s token', () => `Bearer ${OPERATOR_TOKEN}`],
    ],
    [401, 'INVALID_APPLICATION_TOKEN'],
  ),
  ...tokenFaults(
    [['the token of a suspended application', () => `Bearer ${credentials.suspendedApplication}`]],
    [403, 'APPLICATION_NOT_ACTIVE'],
  ),
];

const operatorFaults = [
  ...tokenFaults(
    [
      ['no token', () => undefined],
      ['an empty token', () => 'Bearer'],
      ['a wrong token', () => 'Bearer wrong'],
      ['a password', () => 'Basic b3A6b3A='],
      ['an application token', () => `Bearer ${credentials.application}`],
      ['a customer token', () => `Bearer ${credentials.customer}`],
    ],
    [401, 'INVALID_CREDENTIALS'],
  ),
  {
    what: 'a partner’s API key',
    headers: () => ({ ...credentials.partner, ...bearer(credentials.partner['x-api-key'] ?? '') }),
    refusal: [401, 'INVALID_CREDENTIALS'],
  } satisfies Fault,
];

/** Each caller, the security scheme that names them in a document, and what is refused in their place. */
const callers: [Caller, scheme: string, operationsMin: number, Fault[]][] = [
  ['partner', 'clientId', 40, partnerFaults],
  ['customer', 'customer', 12, customerFaults],
  ['application', 'application', 20, applicationFaults],
  ['operator', 'operator', 40, operatorFaults],
];

let operations: Described[] = [];
beforeAll(async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  operations = documents.flatMap(operationsOf);
});
const asksFor = (scheme: string) => {
  return ({ operation }: Described) => operation.security?.some((needed) => scheme in needed) ?? false;
};
const isForAnybody = ({ operation }: Described) =>
  operation.security?.some((needed) => Object.keys(needed).length === 0) ?? false;

it('every operation that answers 401 asks for one of these callers, or checks a secret that stands in its body', () => {
  const known = new Set(callers.map(([, scheme]) => scheme));
  const others = operations.filter(
    (described) => '401' in described.operation.responses && ![...known].some((scheme) => asksFor(scheme)(described)),
  );
  expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/v1/auth/token']);
});

/** What each operation that asks for this caller answers to these headers. */
async function answersTo(scheme: string, headers: Headers) {
  const asked = operations.filter(asksFor(scheme)).filter((described) => !isForAnybody(described));
  const answers = [];
  for (const described of asked) {
    const { method, url, payload, headers: typed } = requestOf(described, { headers: {}, bearers: {} });
    const answer = await server.call(method, url, {
      headers: { ...typed, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const { timestamp: _timestamp, requestId: _requestId, ...body } = answer.json<Record<string, unknown>>();
    answers.push({ operation: `${method} ${described.path}`, status: answer.statusCode, body });
  }
  return answers;
}

describe.each(callers)('every operation that asks for a %s', (_caller, scheme, operationsMin, faults) => {
  it.each(faults)('refuses $what', async ({ headers, refusal: [status, errorCode] }) => {
    const answers = await answersTo(scheme, headers());
    expect(answers.length).toBeGreaterThanOrEqual(operationsMin);
    const refused = answers.map(({ operation, body: { message, errors } }) => ({
      operation,
      status,
      body: { success: false, message, errorCode, errors, ...(operation.includes(' /api/') && { data: null }) },
    }));
    expect(answers).toEqual(refused);
  });
});

it('the answer never says what is wrong with a partner’s credentials', async () => {
  const faults = partnerFaults.filter(({ refusal }) => refusal === partnerRefused);
  const [first, ...others] = await Promise.all(faults.map(({ headers }) => answersTo('clientId', headers())));
  for (const answers of others) expect(answers).toEqual(first);
});
