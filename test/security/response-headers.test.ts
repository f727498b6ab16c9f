import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { buildHealthApp, buildMetricsApp } from '../../src/routes/open/apps.ts';
import { useApp } from '../support/app.ts';
import { newClaim, newSides } from '../support/claims.ts';
import { customerToken, newCustomer } from '../support/onboarding.ts';

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
async function answers(): Promise<Answer[]> {
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
    const app = await server.app.appAt(url);
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
  made.push(await unreadable(Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port)));
  return made;
}

/** Asked for once, by the first test. */
let asked: Promise<Answer[]> | undefined;
const whereNot = async (holds: (headers: Headers, answer: Answer) => boolean): Promise<string[]> => {
  const made = await (asked ??= answers());
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
