import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildOperatorApp } from '../../../src/app.ts';
import { holdTable } from '../../faults/kill-postgres.ts';
import { useApp } from '../../support/app.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { cookieOf, encoded, hiddenIn, signedIn, type TestConsole, textOf } from './console.ts';

const server = useApp();
const behindTls = useApp(
  { PUBLIC_URL: 'https://paytag.example', OPERATOR_PORT: '3999', TRUSTED_PROXIES: '127.0.0.1' },
  server,
);
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

let admin: TestOperator;
let root: TestConsole;
beforeAll(async () => {
  admin = await newOperator(server, 'admin');
  root = await signedIn(server, OPERATOR_TOKEN);
});

const isSignedIn = async (browser: TestConsole): Promise<boolean> => (await browser.get('/console')).statusCode === 200;
const signIn = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  server.call('POST', '/console/sign-in', { headers: { ...form, ...headers }, payload: encoded(fields) });

describe('signing in', () => {
  it('gives a cookie for no script, no other site, and no longer than eight hours', async () => {
    const answer = await signIn({ token: admin.token });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/console']);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^paytag-console=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
    const stored = await server.owner.query('select digest, token_digest from operators.session');
    expect(JSON.stringify(stored.rows)).not.toContain(cookieOf(answer).split('=')[1]);
  });

  it('refuses a wrong token in words, counts it, and shows no token again', async () => {
    const answer = await signIn({ token: 'op_sandbox_wrong"><script>' });
    expect(answer.statusCode).toBe(401);
    expect(textOf(answer)).toContain('This operator token is not valid.');
    expect(answer.body).not.toContain('op_sandbox_wrong');
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn({ token: 'guess' })));
    const last = guesses.find(({ statusCode }) => statusCode === 429);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn({ token: admin.token })).statusCode).toBe(303);
    expect(server.logged).toContain('operator_signed_in');
    expect(server.logged).not.toContain(admin.token);
  });

  it('goes on to the page that was asked for, and to no other site', async () => {
    const asked = await server.call('GET', '/console/partners?status=ACTIVE');
    expect(asked.headers.location).toBe('/console/sign-in?next=%2Fconsole%2Fpartners%3Fstatus%3DACTIVE');
    const page = await server.call('GET', String(asked.headers.location));
    const { next = '' } = hiddenIn(page.body.replaceAll('&amp;', '&'));
    expect((await signIn({ token: admin.token, next })).headers.location).toBe('/console/partners?status=ACTIVE');
    for (const elsewhere of [
      'https://evil.example/',
      '//evil.example/console',
      '/v2/docs',
      '/console/../v2',
      '/consolex',
      'x',
    ]) {
      const answer = await signIn({ token: admin.token, next: elsewhere });
      expect([elsewhere, answer.headers.location]).toEqual([elsewhere, '/console']);
    }
    const long = await server.call('GET', `/console/partners?status=${'x'.repeat(2000)}`);
    expect(long.headers.location).toBe('/console/sign-in');
  });

  it('is refused by the form of another site', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'no origin' },
    ]) {
      const answer = await signIn({ token: admin.token }, headers);
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
    }
  });
});

describe('a session', () => {
  it('ends when its browser signs in anew: nobody could sign out of it any more', async () => {
    const { cookie } = await signedIn(server, admin.token);
    const before = () => server.call('GET', '/console', { headers: { cookie } });
    expect((await signIn({ token: 'guess' }, { cookie })).statusCode).toBeOneOf([401, 429]);
    expect((await before()).statusCode).toBe(200);
    expect((await signIn({ token: admin.token }, { cookie })).statusCode).toBe(303);
    expect((await before()).statusCode).toBe(303);
  });

  it('ends after eight hours, and by signing out', async () => {
    const [early, late] = [await signedIn(server, admin.token), await signedIn(server, admin.token)];
    const out = await early.send('/console/sign-out', {}, '/console');
    expect([out.statusCode, out.headers['set-cookie']]).toEqual([303, expect.stringContaining('Max-Age=0')]);
    expect([await isSignedIn(early), await isSignedIn(late)]).toEqual([false, true]);
    server.clock.advance(8 * HOUR_MS - MINUTE_MS);
    expect(await isSignedIn(late)).toBe(true);
    server.clock.advance(MINUTE_MS);
    expect(await isSignedIn(late)).toBe(false);
    root = await signedIn(server, OPERATOR_TOKEN);
  });

  it('ends when its operator is disabled, or has another token', async () => {
    for (const act of ['disable', 'rotate'] as const) {
      const operator = await newOperator(server, 'support');
      const browser = await signedIn(server, operator.token);
      expect(await isSignedIn(browser)).toBe(true);
      await server.operate('POST', `/operators/${operator.id}/${act}`, { reason: 'they left' });
      expect([act, await isSignedIn(browser)]).toEqual([act, false]);
    }
  });

  it('has the role that its operator has now', async () => {
    const operator = await newOperator(server, 'viewer');
    const browser = await signedIn(server, operator.token);
    expect((await browser.get('/console')).body).not.toContain('/console/operators"');
    await server.operate('PATCH', `/operators/${operator.id}`, { role: 'admin', reason: 'promoted' });
    expect((await browser.get('/console')).body).toContain('/console/operators"');
  });

  it('opens nothing when somebody wrote it past the server', async () => {
    const browser = await signedIn(server, admin.token);
    await server.owner.query(`update operators.session set operator_id = null where operator_id = $1`, [admin.id]);
    expect(await isSignedIn(browser)).toBe(false);
    const over = await signedIn(server, admin.token);
    await over.send('/console/sign-out', {}, '/console');
    await server.owner.query('update operators.session set ended_at = null');
    expect(await isSignedIn(over)).toBe(false);
  });

  it('is no credential of the API', async () => {
    const session = root.cookie.split('=')[1] ?? '';
    for (const authorization of [`Bearer ${session}`, `Console ${session}`, `Console ${session}.${session}`]) {
      const answer = await server.call('GET', '/operator/v1/partners', { headers: { authorization } });
      expect(answer.statusCode).toBe(401);
    }
    expect((await server.call('GET', '/operator/v1/partners', { headers: { cookie: root.cookie } })).statusCode).toBe(
      401,
    );
  });
});

describe('a form', () => {
  it('that did not stand in a page of this session, or that another site sent, does nothing', async () => {
    const other = await signedIn(server, admin.token);
    const theirs = hiddenIn((await other.get('/console/actions/createPartner')).body);
    const own = hiddenIn((await root.get('/console/actions/createPartner')).body);
    const partner = { name: 'Forged', redirectUrl: 'https://forged.example/' };
    const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      server.call('POST', '/console/actions/createPartner', {
        headers: { ...form, cookie: root.cookie, ...headers },
        payload: encoded({ ...fields, ...partner }),
      });
    const answers = [
      await send({}),
      await send(theirs),
      await send({ ...own, form: `${own['form']}x` }),
      await send(own, { 'sec-fetch-site': 'same-site' }),
      await send(own, { origin: 'https://evil.example' }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403]);
    expect((await server.operate('GET', '/partners')).body).not.toContain('Forged');
    expect((await send(own)).statusCode).toBe(200);
  });

  it('sent twice at once does its work once, also for whoever is told that the first still runs and sends it again', async () => {
    const fields = hiddenIn((await root.get('/console/actions/createPartner')).body);
    const send = (hidden: Record<string, string>) =>
      server.call('POST', '/console/actions/createPartner', {
        headers: { ...form, cookie: root.cookie },
        payload: encoded({ ...hidden, name: 'Impatient', redirectUrl: 'https://twice.example/' }),
      });
    const held = await holdTable(server.owner, 'audit.entry');
    onTestFinished(() => held.release());
    const first = send(fields);
    await held.waitedForBy('insert into audit.entry');
    const second = await send(fields);
    expect([second.statusCode, textOf(second)]).toEqual([409, expect.stringContaining('IDEMPOTENCY_KEY_IN_FLIGHT')]);
    await held.release();
    const [apiKey = 'none'] = /sk_sandbox_[\w-]+/.exec((await first).body) ?? [];
    const again = await send(hiddenIn(second.body));
    expect([again.statusCode, again.body]).toEqual([200, expect.stringContaining(apiKey)]);
    const { rows } = await server.owner.query(`select 1 from partners.partner where name = 'Impatient'`);
    expect(rows.length).toBe(1);
  });
});

describe('what nobody typed by mistake', () => {
  it('is answered in words: a day that is the last there is, a step up the path, a form of very many fields', async () => {
    const day = await root.get('/console/transactions?from=%2B275760-09-13T00:00:00Z');
    expect([day.statusCode, textOf(day)]).toEqual([400, expect.stringContaining('This was refused')]);
    const app = await buildOperatorApp(behindTls.resources);
    onTestFinished(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    for (const step of ['.', '%2e', '%2e%2e']) {
      const asked = get({ port, path: `/console/deliveries/${step}`, headers: { cookie: root.cookie } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect([step, answer.resume().statusCode]).toEqual([step, 404]);
    }
    const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
    const many = await server.call('POST', '/console/actions/importBankFile', {
      headers: { cookie: root.cookie, 'content-type': 'multipart/form-data; boundary=x' },
      payload: `${part.repeat(600)}--x--\r\n`,
    });
    expect([many.statusCode, textOf(many)]).toEqual([400, expect.stringContaining('too many fields')]);
  });
});

describe('a console on a port of its own', () => {
  it('is not on the main port, and gives its cookie to https alone where it is reached so', async () => {
    for (const path of ['/console', '/console/sign-in', '/console/partners']) {
      expect((await behindTls.call('GET', path)).statusCode).toBe(404);
    }
    const app = await buildOperatorApp(behindTls.resources);
    const signInAt = async (headers: Record<string, string>) => {
      const request = { headers: { ...form, ...headers }, payload: encoded({ token: admin.token }) };
      return app.inject({ method: 'POST', url: '/console/sign-in', ...request });
    };
    const secure = String((await signInAt({ 'x-forwarded-proto': 'https' })).headers['set-cookie']);
    expect(secure).toMatch(/^__Host-paytag-console=[\w-]{43}; Path=\/;.* SameSite=Strict; Secure$/);
    expect(String((await signInAt({})).headers['set-cookie'])).toMatch(/^paytag-console=/);
    const [cookie = ''] = secure.split(';');
    const page = await app.inject({ url: '/console', headers: { cookie, 'x-forwarded-proto': 'https' } });
    expect(page.statusCode).toBe(200);
    expect((await app.inject({ url: '/console', headers: { cookie } })).statusCode).toBe(303);
    const host = 'ops.internal:3999';
    const { form: seal = '' } = hiddenIn(page.body);
    const out = async (origin: string) =>
      app.inject({
        method: 'POST',
        url: '/console/sign-out',
        headers: { ...form, cookie, host, origin, 'x-forwarded-proto': 'https' },
        payload: encoded({ form: seal }),
      });
    expect((await out('https://evil.example')).statusCode).toBe(403);
    expect((await out(`https://${host}`)).statusCode).toBe(303);
    await app.close();
  });
});
