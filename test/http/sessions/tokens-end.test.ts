import { describe, expect, it } from 'vitest';
import { type Answer, type TestApp, useApp } from '../../support/app.ts';
import { askForToken, newApplication, newToken, type TestApplication } from '../../support/application.ts';
import { actOn, customerIdOf } from '../../support/customers.ts';
import { eventually } from '../../support/eventually.ts';
import { completeReset, validatedReset } from '../../support/onboarding.ts';
import { type LoggedIn, loggedIn, logInAt } from '../../support/wallets.ts';

const server = useApp();
const other = useApp({}, server);

const logOut = ({ headers }: Pick<LoggedIn, 'headers'>): Promise<Answer> =>
  server.call('DELETE', '/v2/sso/token', { headers });
const walletOf = ({ headers }: Pick<LoggedIn, 'headers'>, app = server) =>
  app.call('GET', '/v2/sso/wallet', { headers });

/** Sets a new password by a code. */
const newPassword = async ({ partner, paytag }: LoggedIn): Promise<Answer> =>
  completeReset(server, partner, await validatedReset(server, partner, paytag));

describe('V7.4.1: a customer who logs out', () => {
  it('ends their token at once, in every process within a second, and no other of theirs', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    const second = await logInAt(server, partner, ada);
    expect((await walletOf(ada, other)).statusCode).toBe(200);
    const answer = await logOut(ada);
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, true, 'no-store']);
    expect((await walletOf(ada)).json().errorCode).toBe('INVALID_CUSTOMER_TOKEN');
    server.clock.advance(1_000);
    for (const app of [server, other]) {
      expect((await walletOf(ada, app)).json().errorCode).toBe('INVALID_CUSTOMER_TOKEN');
    }
    expect((await walletOf(second)).statusCode).toBe(200);
  });

  it('may do so twice: the second time there is nothing to end', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answers = await Promise.all([logOut(ada), logOut(ada), logOut(ada)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(answers.filter((answer) => answer.json() === true)).toHaveLength(1);
  });

  it('is nobody whose token another partner sends, or nobody made', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const stranger = await server.newPartner();
    const { authorization = '' } = ada.headers;
    for (const headers of [
      { ...stranger.headers, authorization },
      { ...ada.headers, authorization: 'Bearer a.b.c' },
    ]) {
      const answer = await logOut({ headers });
      expect([answer.statusCode, answer.json().errorCode]).toEqual([401, 'INVALID_CUSTOMER_TOKEN']);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
    expect((await walletOf(ada)).statusCode).toBe(200);
  });
});

describe('V7.4.3: a link to a statement dies with the session that asked for it', () => {
  const linkOf = async ({ headers }: LoggedIn): Promise<string> =>
    (await server.call('POST', '/v2/sso/transaction/statement', { headers })).json<{ url: string }>().url;
  const open = async (url: string) => server.call('GET', new URL(url).pathname);

  it.each<[string, (ada: LoggedIn) => Promise<unknown>]>([
    ['log out', logOut],
    ['a new password', (ada) => newPassword(ada)],
    ['a closed PayTag', (ada) => server.operate('POST', `/tags/${ada.paytag}/close`, { reason: 'a test asks for it' })],
    [
      'a wallet that is revoked',
      (ada) => server.operate('POST', `/wallets/${ada.wallet}/revoke`, { reason: 'a test' }),
    ],
    ['a freeze', async (ada) => actOn(server, await customerIdOf(server, ada.paytag), 'freeze')],
    ['the end of its token', async () => server.clock.advance(31 * 60 * 1000)],
  ])('%s', async (_what, end) => {
    const ada = await loggedIn(server, await server.newPartner());
    const link = await linkOf(ada);
    expect((await open(link)).statusCode).toBe(200);
    await end(ada);
    const answer = await open(link);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([410, 'STATEMENT_LINK_EXPIRED']);
  });

  it('and no sooner: another of their sessions may end', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const second = await logInAt(server, ada.partner, ada);
    const link = await linkOf(ada);
    await logOut(second);
    expect((await open(link)).statusCode).toBe(200);
  });
});

const statusOf = async (app: typeof server, headers: TestApplication['headers']) =>
  (await app.call('GET', '/api/v1/wallet', { headers })).statusCode;
const rotate = (id: string, immediately: boolean) =>
  server.operate('POST', `/applications/${id}/secret/rotate`, { immediately, reason: 'it was stolen' });

it('V7.4.1: a rotation that is immediate ends the tokens so far, in every process within a second, and those of nobody else', async () => {
  const [acme, shop] = [await newApplication(server), await newApplication(server)];
  for (const app of [server, other]) expect(await statusOf(app, acme.headers)).toBe(200);
  const { client_secret } = (await rotate(acme.applicationId, true)).json<{ client_secret: string }>();
  expect(await statusOf(server, acme.headers)).toBe(401);
  server.clock.advance(1_000);
  const refused = await other.call('GET', '/api/v1/wallet', { headers: acme.headers });
  expect([refused.statusCode, refused.json().errorCode]).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
  expect((await askForToken(server, acme)).statusCode).toBe(401);
  const fresh = await newToken(server, { ...acme, client_secret }); // in the same second
  for (const app of [server, other]) {
    expect(await statusOf(app, fresh)).toBe(200);
    expect(await statusOf(app, shop.headers)).toBe(200);
  }
});

it('V7.4.1: an application that rotates immediately ends its own token, and not by a rotation with an overlap', async () => {
  const acme = await newApplication(server);
  const payload = { client_secret: acme.client_secret };
  const call = { headers: acme.headers, payload };
  const { data } = (await server.call('POST', '/api/v1/applications/secret/rotate', call)).json();
  expect(await statusOf(server, acme.headers)).toBe(200);
  const atOnce = { client_secret: data.client_secret, immediately: true };
  await server.call('POST', '/api/v1/applications/secret/rotate', { headers: acme.headers, payload: atOnce });
  expect(await statusOf(server, acme.headers)).toBe(401);
});

it('V7.4.1: no token that is issued while the secret is rotated immediately outlives it', async () => {
  const acme = await newApplication(server);
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => askForToken(server, acme))),
    rotate(acme.applicationId, true),
  ]);
  server.clock.advance(1_000);
  const issued = answers.filter(({ statusCode }) => statusCode === 200);
  for (const answer of issued) {
    const authorization = `Bearer ${answer.json<{ access_token: string }>().access_token}`;
    expect(await statusOf(other, { authorization })).toBe(401);
  }
});

/** After it nothing is remembered of who calls. */
const COLD_AFTER_MS = 1_500;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Nobody signed it. */
const forged = (claims: object) => ({
  authorization: `Bearer ${part({ alg: 'ES256', kid: 'nobody' })}.${part(claims)}.${'A'.repeat(86)}`,
});
const claims = [{ jti: 'no id', sub: 'no id' }, { jti: 7, sub: null }, { jti: "'" }, {}];

it('V9.1.1: what stands in a token that nobody signed is looked up for its sender alone: nobody else is refused', async () => {
  const { headers } = await loggedIn(server, await server.newPartner());
  const application = await newApplication(server);
  server.clock.advance(COLD_AFTER_MS);
  const calls = [
    ['/v2/sso/wallet', headers, 200],
    ['/api/v1/wallet', application.headers, 200],
    ...claims.map((given) => ['/v2/sso/wallet', { ...headers, ...forged(given) }, 401] as const),
    ...claims.map((given) => ['/api/v1/wallet', forged(given), 401] as const),
  ] as const;
  const answers = await Promise.all(calls.map(([url, sent]) => server.call('GET', url, { headers: sent })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(calls.map(([, , status]) => status));
});

it('the keys of a partner are looked at before anything of a customer', async () => {
  const { headers } = await loggedIn(server, await server.newPartner());
  const wrong = { ...headers, 'x-api-key': `${headers['x-api-key']}x` };
  for (const sent of [wrong, { ...wrong, ...forged({ jti: 'no id' }) }]) {
    server.clock.advance(COLD_AFTER_MS);
    const answer = await server.call('GET', '/v2/sso/wallet', { headers: sent });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'ApiKey realm="paytag"']);
  }
});

const REASON = { reason: 'a test asks for it' };

interface Caller {
  url: string;
  headers: Record<string, string>;
  /** Ends in the first process what they call with. */
  end: () => Promise<unknown>;
}

const callers: [what: string, make: () => Promise<Caller>][] = [
  [
    'an API key that is revoked',
    async () => {
      const { id, headers } = await server.newPartner();
      const { keys } = (await server.operate('GET', `/partners/${id}`)).json<{ keys: { id: string }[] }>();
      const end = () => server.operate('POST', `/partners/${id}/keys/${keys[0]?.id}/revoke`, REASON);
      return { url: '/v2/partner/float', headers, end };
    },
  ],
  [
    'a partner that is suspended',
    async () => {
      const { id, headers } = await server.newPartner();
      return {
        url: '/v2/partner/float',
        headers,
        end: () => server.operate('POST', `/partners/${id}/suspend`, REASON),
      };
    },
  ],
  [
    'an application that is suspended',
    async () => {
      const { applicationId, headers } = await newApplication(server);
      const end = () => server.operate('POST', `/applications/${applicationId}/suspend`, REASON);
      return { url: '/api/v1/wallet', headers, end };
    },
  ],
  [
    'a session that is ended',
    async () => {
      const { headers } = await loggedIn(server, await server.newPartner());
      return { url: '/v2/sso/wallet', headers, end: () => server.call('DELETE', '/v2/sso/token', { headers }) };
    },
  ],
];

const statusAt = async (app: TestApp, { url, headers }: Caller) => (await app.call('GET', url, { headers })).statusCode;

const LISTENING = `from pg_stat_activity where application_name = 'paytag-listen' and datname = current_database()`;
const listeners = async () => (await server.owner.query(`select ${LISTENING}`)).rowCount;
/** Ends the connections on which processes are told of changes. They connect again after a second. */
const cutListeners = () => server.owner.query(`select pg_terminate_backend(pid, 10_000) ${LISTENING}`);

describe('V7.4.1: what one process ends is refused there at once, and within a second by others', () => {
  it.each(callers)('%s: others are told', async (_what, make) => {
    server.clock.stop(); // nothing expires by itself
    const caller = await make();
    await eventually(async () => {
      for (const app of [server, other]) expect(await statusAt(app, caller)).toBe(200);
      expect(await listeners()).toBe(2);
    });
    for (const app of [server, other]) expect(await statusAt(app, caller)).toBe(200);
    await caller.end();
    expect(await statusAt(server, caller)).toBeGreaterThan(400);
    await eventually(async () => expect(await statusAt(other, caller)).toBeGreaterThan(400));
  });

  it.each(callers)('%s: one that lost its listening connection looks for itself', async (_what, make) => {
    server.clock.stop();
    const caller = await make();
    expect(await statusAt(other, caller)).toBe(200);
    await cutListeners();
    expect(await statusAt(other, caller)).toBe(200);
    await caller.end();
    server.clock.advance(1_000);
    expect(await statusAt(other, caller)).toBeGreaterThan(400);
  });
});

it('V7.4.1: what is given back, or new, is taken by every process at once', async () => {
  const { id, headers } = await server.newPartner();
  const float = { url: '/v2/partner/float', headers, end: async () => undefined };
  expect(await statusAt(other, float)).toBe(200);
  await server.operate('POST', `/partners/${id}/suspend`, REASON);
  await eventually(async () => expect(await statusAt(other, float)).toBe(403));
  await server.operate('POST', `/partners/${id}/restore`, REASON);
  expect(await statusAt(other, float)).toBe(200);
  const { apiKey } = (await server.operate('POST', `/partners/${id}/keys`, REASON)).json<{ apiKey: string }>();
  expect(await statusAt(other, { ...float, headers: { ...headers, 'x-api-key': apiKey } })).toBe(200);
});
