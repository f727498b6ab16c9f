import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildHealthApp, buildMetricsApp } from '../../src/routes/open/plugin.ts';
import { type TestPartner, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { newClaim, newSides } from '../support/claims.ts';
import { customerToken, newCustomer, PASSWORD } from '../support/onboarding.ts';
import { liveEnv } from '../support/variables.ts';

const server = useApp();
const BROWSER = { accept: 'text/html', origin: 'https://elsewhere.example' };

type Headers = Record<string, string | undefined>;
interface Answer {
  what: string;
  headers: Headers;
  body: string;
}

/** What an HTTP server writes to a request that cannot be read as one. */
async function unreadable(port: number): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('hello\r\n\r\n');
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0] ?? '', line.replace(/^[^:]+: /, '')]));
  return { what: 'a request that is not HTTP', headers, body };
}

/** One answer of each kind that the server gives, from every place that makes answers. */
async function answersOf(): Promise<Answer[]> {
  const partner = await server.newPartner();
  const { paytag } = await newCustomer(server, partner);
  const headers = { ...partner.headers, authorization: `Bearer ${await customerToken(server, partner, paytag)}` };
  const link = await server.call('POST', '/v2/sso/transaction/statement?format=html', { headers });
  const { consentToken } = await newClaim(server, await newSides(server));
  const statement = new URL(link.json().url).pathname;
  const requests = [
    ['GET', '/health/live'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/v2/openapi.json'],
    ['GET', `/api/v1/tags/${paytag}`],
    ['GET', '/v2/sso/wallet'],
    ['GET', '/v2/sso/qr'],
    ['GET', '/v2/nothing'],
    ['GET', '/v2/%zz'],
    ['GET', '/operator/v1/partners'],
    ['OPTIONS', '/v2/sso/wallet'],
    ['POST', '/api/v1/auth/token'],
    ['GET', `/api/v1/consent/${consentToken}`],
    ['POST', `/api/v1/consent/${consentToken}`],
    ['GET', '/api/v1/consent/unknown'],
    ['GET', statement],
    ['GET', '/statements/unknown'],
  ] as const;
  const made: Answer[] = [];
  for (const [method, url] of requests) {
    const app = server.app;
    const answer = await app.inject({ method, url, headers: { ...headers, ...BROWSER } });
    made.push({
      what: `${method} ${url}: ${answer.statusCode}`,
      headers: answer.headers as Headers,
      body: answer.body,
    });
  }
  for (const [name, build] of [
    ['worker', buildHealthApp],
    ['metrics port', buildMetricsApp],
  ] as const) {
    const app = build({ ...server.resources, metricsPort: 9464 });
    for (const url of ['/health/live', '/metrics', '/nothing']) {
      const answer = await app.inject({ method: 'GET', url });
      made.push({
        what: `${name} ${url}: ${answer.statusCode}`,
        headers: answer.headers as Headers,
        body: answer.body,
      });
    }
    await app.close();
  }
  made.push(await unreadable(port));
  return made;
}

/** Asked for once, by the first test. */
let asked: Promise<Answer[]> | undefined;
const whereNot = async (holds: (headers: Headers, answer: Answer) => boolean): Promise<string[]> => {
  const made = await (asked ??= answersOf());
  expect(made.length).toBeGreaterThan(20);
  return made.filter((answer) => !holds(answer.headers, answer)).map(({ what }) => what);
};

/** The directives of a Content-Security-Policy, by their names. */
const policyOf = (headers: Headers): Map<string, string> =>
  new Map(
    (headers['content-security-policy'] ?? '').split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values.join(' ')];
    }),
  );

describe('every answer, whoever makes it', () => {
  it('V3.4.1: is to be asked for by https alone, for a year and on all subdomains', async () => {
    expect(await whereNot((one) => one['strict-transport-security'] === 'max-age=31536000; includeSubDomains')).toEqual(
      [],
    );
  });

  it('V3.4.2: allows no other origin to read it', async () => {
    expect(await whereNot((one) => !Object.keys(one).some((name) => name.startsWith('access-control')))).toEqual([]);
  });

  it('V3.4.3: lets a browser run nothing, load nothing and move no base address', async () => {
    const isStrict = (one: Headers): boolean => {
      const policy = policyOf(one);
      const none = (name: string) => policy.get(name) === "'none'";
      return (
        none('default-src') &&
        (policy.get('object-src') ?? "'none'") === "'none'" &&
        none('base-uri') &&
        !policy.has('script-src')
      );
    };
    expect(await whereNot(isStrict)).toEqual([]);
  });

  it('V3.4.4, V3.2.1: is what its content type says, and is not guessed at', async () => {
    expect(await whereNot((one) => one['x-content-type-options'] === 'nosniff')).toEqual([]);
  });

  it('V3.4.5: tells no other site the address it had', async () => {
    expect(await whereNot((one) => one['referrer-policy'] === 'no-referrer')).toEqual([]);
  });

  it('V3.4.6: is framed by nobody', async () => {
    expect(await whereNot((one) => policyOf(one).get('frame-ancestors') === "'none'")).toEqual([]);
  });

  it('V4.1.1: says its type and its character set', async () => {
    const isSaid = (one: Headers, { body }: Answer) =>
      body === '' || /^(application\/json|text\/[a-z]+);.*charset=utf-8$/.test(one['content-type'] ?? '');
    expect(await whereNot(isSaid)).toEqual([]);
  });

  it('V3.3.1, V3.3.2, V3.3.3, V3.3.4: sets no cookie', async () => {
    expect(await whereNot((one) => one['set-cookie'] === undefined)).toEqual([]);
  });

  it('V13.4.5: names neither the framework nor its version', async () => {
    expect(await whereNot((one) => one['server'] === undefined && one['x-powered-by'] === undefined)).toEqual([]);
  });
});

it('V13.4.4: TRACE, by which a proxy’s headers would come back, is no method of any path', async () => {
  for (const url of ['/', '/health/live', '/v2/sso/wallet', '/api/v1/tags/ada', '/operator/v1/partners']) {
    const answer = await server.app.inject({ method: 'TRACE' as 'GET', url, headers: { 'x-secret': 'of-the-proxy' } });
    expect([404, 405]).toContain(answer.statusCode);
    expect(answer.body).not.toContain('of-the-proxy');
  }
});

const live = { ...liveEnv, OPERATOR_PORT: '9465' };
const direct = useApp(live);
const proxied = useApp({ ...live, TRUSTED_PROXIES: '127.0.0.1' }, direct);

let port = 0;

beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

async function raw(headers: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v1/tags/nobody HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };

it('V4.2.1: a request with two Host headers is refused, equal ones too, and one is answered', async () => {
  for (const second of ['evil.example', 'pay.example', '']) {
    const answer = await raw(`host: pay.example\r\nHOST: ${second}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"errorCode":"BAD_REQUEST"');
  }
  expect(await raw('host: pay.example')).toMatch(/^HTTP\/1\.1 404 /);
});

it('V4.1.3: live behind a proxy that it does not trust refuses everything but health, and says once what to set', async () => {
  for (const url of ['/api/v1/tags/nobody', '/v2/partner/float', '/nothing']) {
    const answer = await direct.call('GET', url, forwarded);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([503, 'PROXY_NOT_TRUSTED']);
    expect(answer.headers['retry-after']).toBe('60');
  }
  for (const url of ['/health/live', '/health/ready']) {
    expect((await direct.call('GET', url, forwarded)).statusCode).toBe(200);
  }
  expect(direct.logged.split('set TRUSTED_PROXIES').length - 1).toBe(1);
});

it('V4.1.3: who calls is an address, whatever a proxy writes around it, and nothing else', async () => {
  const addresses = {
    '203.0.113.9:40001': '203.0.113.9',
    '198.51.100.7, 203.0.113.9:2': '203.0.113.9',
    '[2001:db8::1]:443': '2001:db8::1',
    '203.0.113.9, garbage': '127.0.0.1',
    'fe80::1%eth0': '127.0.0.1',
    '999.1.1.1': '127.0.0.1',
  };
  for (const [written, read] of Object.entries(addresses)) {
    const { headers } = await proxied.call('GET', '/api/v1/tags/nobody', { headers: { 'x-forwarded-for': written } });
    const line = proxied.logged.split('\n').find((one) => one.includes(String(headers['x-request-id'])));
    expect([written, JSON.parse(line ?? '{}').address]).toEqual([written, read]);
  }
});

it('V4.1.3: without the header, behind a proxy that is trusted, and in the sandbox it is answered', async () => {
  const answers = [
    await direct.call('GET', '/api/v1/tags/nobody'),
    await proxied.call('GET', '/api/v1/tags/nobody', forwarded),
    await server.call('GET', '/api/v1/tags/nobody', forwarded),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect(proxied.logged).toContain('203.0.113.9');
});

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const OURS = challengeOf('v'.repeat(43));
const THEIRS = challengeOf('w'.repeat(43));

let partner: TestPartner;
let paytag = '';

beforeAll(async () => {
  partner = await server.newPartner();
  ({ paytag } = await newCustomer(server, partner));
});
const logIn = (query: string, body: object = {}) =>
  server.call('POST', `/v2/sso/auth-code${query}`, {
    headers: partner.headers,
    payload: { paytag, password: PASSWORD, ...body },
  });
const INVALID = [400, 'INVALID_PARAMETER'];

describe('V15.3.7: a parameter that stands twice never silently takes the place of the other', () => {
  it.each([
    ['another challenge in the query than in the body', `?code_challenge=${THEIRS}`, { code_challenge: OURS }],
    ['another state in the query than in the body', '?state=theirs', { state: 'ours' }],
    ['two challenges in the query', `?code_challenge=${THEIRS}&code_challenge=${OURS}`, {}],
    ['two states in the query', '?state=theirs&state=ours', {}],
    ['two scopes', '?scope=profile&scope=profile', {}],
    ['a state that is a list', '', { state: ['theirs', 'ours'] }],
  ])('at the login: %s', async (_what, query, body) => {
    const answer = await logIn(query, body);
    expect([answer.statusCode, answer.json().errorCode]).toEqual(INVALID);
  });

  it('the same in both is one', async () => {
    const answer = await logIn(`?code_challenge=${OURS}&state=ours`, { code_challenge: OURS, state: 'ours' });
    expect(answer.statusCode).toBe(200);
    expect(new URL(answer.body).searchParams.getAll('state')).toEqual(['ours']);
  });

  it.each([
    '/v2/sso/token?auth-code=a&auth-code=b',
    '/v2/sso?session=a&session=b',
    '/v2/sso/verify-tag?paytag=a&paytag=b',
  ])('in a query: %s', async (url) => {
    const answer = await server.call('GET', url, { headers: partner.headers });
    expect([answer.statusCode, answer.json().errorCode]).toEqual(INVALID);
  });

  it('in a form: two client ids', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const payload = new URLSearchParams([
      ['client_id', 'app_theirs'],
      ['client_id', client_id],
      ['client_secret', client_secret],
    ]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await server.call('POST', '/api/v1/auth/token', { headers, payload })).statusCode).toBe(400);
  });

  it('in headers: two API keys, of which one is right', async () => {
    const headers = { ...partner.headers, 'x-api-key': [partner.apiKey, 'sk_sandbox_other'] as unknown as string };
    expect((await server.call('GET', '/v2/partner/float', { headers })).statusCode).toBe(400);
  });
});
