import { beforeAll, describe, expect, it } from 'vitest';
import { mayDo, type Role, roles } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { exampleOf } from '../../../src/cli/server/operation-commands.ts';
import { type TestPartner, useApp, useSharedApp } from '../../support/app.ts';
import { commandLineOf } from '../../support/command-line.ts';
import { type Described, operationsOf, readDocument, requestOf } from '../../support/described.ts';
import { auditOf, floatOf, newOperator, type TestOperator } from '../../support/operators.ts';
import { kycWallet } from '../../support/wallets.ts';
import { encoded, hiddenIn, signedIn, type TestConsole, textOf } from './console.ts';

describe('actions', () => {
  const server = useApp({ APPROVAL_ABOVE: '1000' });
  const HOSTILE = `"><img src=x onerror=alert(1)><script>alert('x')</script>&lt;b&gt;`;

  interface Colleague {
    operator: TestOperator;
    browser: TestConsole;
  }
  const colleagues = new Map<Role, Colleague>();
  let partner: TestPartner;

  beforeAll(async () => {
    for (const role of roles) {
      const operator = await newOperator(server, role);
      colleagues.set(role, { operator, browser: await signedIn(server, operator.token) });
    }
    partner = await server.newPartner();
  });

  function as(role: Role): Colleague {
    const colleague = colleagues.get(role);
    if (colleague === undefined) throw new Error('nobody has this role');
    return colleague;
  }
  const send = (role: Role, action: string, typed: Record<string, string> = {}) =>
    as(role).browser.send(`/console/actions/${action}`, typed);

  describe('a form does what the operator API does', () => {
    it('leads to the page of what it was done to, which says once what was done; and the audit log names who did it', async () => {
      const { operator, browser } = as('support');
      const done = await send('support', `suspendPartner?id=${partner.id}`, { reason: 'a complaint' });
      expect([done.statusCode, done.headers.location]).toEqual([303, `/console/partners/${partner.id}`]);
      expect(textOf(await browser.get('/console/partners'))).not.toContain('suspended');
      const page = await browser.get(String(done.headers.location));
      expect(textOf(page)).toMatch(/Partner suspended: Partner 1 Reason a complaint Status Suspended/);
      expect(textOf(await browser.get(String(done.headers.location)))).not.toContain('Partner suspended');
      const entries = await auditOf(server, partner.id);
      expect(entries.at(-1)).toMatchObject({ actor: operator.actor, action: 'partner.suspend', reason: 'a complaint' });
    });

    it('says in words why it was refused, and keeps what was typed', async () => {
      const again = await send('support', `suspendPartner?id=${partner.id}`, { reason: 'twice <i>typed</i>' });
      expect(again.statusCode).toBe(409);
      expect(textOf(again)).toContain('This conflicts with the current state');
      expect(textOf(again)).toContain('PARTNER_STATUS_CONFLICT');
      expect(again.body).toContain('twice &lt;i&gt;typed&lt;/i&gt;</textarea>');
      const wrong = await send('finance', `fundFloat?id=${partner.id}`, { amount: '10.999', reference: 'wrong-1' });
      expect(wrong.statusCode).toBe(400);
      expect(wrong.body).toMatch(/id="f-amount" name="amount" value="10\.999"[^>]* aria-invalid="true"/);
      expect(wrong.body).toMatch(/<p class="wrong" id="f-amount-wrong"><bdi>[^<]+<\/bdi><\/p>/);
      await send('support', `restorePartner?id=${partner.id}`, { reason: 'it was nothing' });
    });

    it('reads amounts as people write them, and rounds none', async () => {
      await send('finance', `fundFloat?id=${partner.id}`, { amount: '1,000', reference: 'with-comma' });
      await send('finance', `fundFloat?id=${partner.id}`, { amount: '0.10', reference: 'with-zero' });
      expect(await floatOf(server, partner.id)).toBe(1000.1);
      for (const amount of ['1e3', '0x10', '12,34', '0.1000000000000000055', ' ', '-5']) {
        const answer = await send('finance', `fundFloat?id=${partner.id}`, { amount, reference: 'never' });
        expect([amount, answer.statusCode]).toEqual([amount, 400]);
      }
      expect(await floatOf(server, partner.id)).toBe(1000.1);
    });

    it('moves money once, however often it is sent', async () => {
      const { browser } = as('finance');
      const path = `/console/actions/fundFloat?id=${partner.id}`;
      const fields = { ...hiddenIn((await browser.get(path)).body), amount: '5', reference: 'once' };
      const request = {
        headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: encoded(fields),
      };
      const answers = [];
      for (let n = 0; n < 3; n += 1) answers.push(await server.call('POST', '/console/actions/fundFloat', request));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
      expect(await floatOf(server, partner.id)).toBe(1005.1);
    });

    it('shows a secret once, and again to nobody but who loads that page anew', async () => {
      const { browser } = as('admin');
      const path = '/console/actions/createPartner';
      const fields = {
        ...hiddenIn((await browser.get(path)).body),
        name: 'Once',
        redirectUrl: 'https://once.example/',
      };
      const request = {
        headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: encoded(fields),
      };
      const made = await server.call('POST', path, request);
      const [apiKey] = /sk_sandbox_[\w-]+/.exec(made.body) ?? [];
      expect([made.statusCode, apiKey?.length]).toEqual([200, 54]);
      expect(made.headers['cache-control']).toBe('no-store');
      expect((await server.call('POST', path, request)).body).toContain(apiKey);
      const [, address = ''] = /<a href="(\/console\/partners\/[\w-]+)">Open it/.exec(made.body) ?? [];
      const page = await browser.get(address);
      expect(textOf(page)).toContain('Once');
      expect(page.body).not.toContain(apiKey);
      expect(server.logged).not.toContain(apiKey);
    });

    it('waits for a second operator where the API does, and leads to the request', async () => {
      const asked = await send('finance', `fundFloat?id=${partner.id}`, { amount: '5000', reference: 'large' });
      expect(asked.statusCode).toBe(303);
      const [address = ''] = String(asked.headers.location).split('?');
      expect(address).toMatch(/^\/console\/approvals\/[\w-]+$/);
      expect(textOf(await as('finance').browser.get(address))).toContain('Pending');
      const id = address.split('/').at(-1);
      const own = await send('finance', `approveRequest?id=${id}`, { meant: 'yes' });
      expect([own.statusCode, textOf(own)]).toEqual([403, expect.stringContaining('Your role may not do this')]);
      const unmeant = await send('admin', `approveRequest?id=${id}`);
      expect([unmeant.statusCode, textOf(unmeant)]).toEqual([
        400,
        expect.stringContaining('tick the box if you mean it'),
      ]);
      expect((await send('admin', `approveRequest?id=${id}`, { meant: 'yes' })).statusCode).toBe(303);
      expect(await floatOf(server, partner.id)).toBe(6005.1);
    });

    it('counts what would be replayed before it replays, and again when something else is asked', async () => {
      const counted = await send('support', 'replayDeliveries', { event: 'wallet.credited', partnerId: partner.id });
      expect([counted.statusCode, textOf(counted)]).toEqual([200, expect.stringContaining('Nothing was done yet')]);
      const fields = { ...hiddenIn(counted.body), partnerId: partner.id, status: '', meant: 'yes' };
      const request = (typed: Record<string, string>) => ({
        headers: { cookie: as('support').browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: encoded({ ...fields, ...typed }),
      });
      const path = '/console/actions/replayDeliveries';
      const other = await server.call('POST', path, request({ event: 'wallet.debited' }));
      expect(textOf(other)).toContain('Nothing was done yet');
      const same = await server.call('POST', path, request({ event: 'wallet.credited' }));
      expect([same.statusCode, textOf(same)]).toEqual([200, expect.stringContaining('Deliveries replayed')]);
    });

    it('takes a file of a bank as it is', async () => {
      const { browser } = as('finance');
      const page = await browser.get('/console/actions/importBankFile');
      expect(page.body).toContain('enctype="multipart/form-data"');
      const form = new FormData();
      for (const [name, value] of Object.entries(hiddenIn(page.body))) form.set(name, value);
      form.set('rail', 'INBOUND');
      form.set('format', 'MT940');
      form.set('content', new Blob(['no bank wrote this']), 'file.txt');
      const sent = new Response(form);
      const answer = await server.call('POST', '/console/actions/importBankFile', {
        headers: { cookie: browser.cookie, 'content-type': sent.headers.get('content-type') ?? '' },
        payload: Buffer.from(await sent.arrayBuffer()),
      });
      expect([answer.statusCode, textOf(answer)]).toEqual([
        expect.toBeOneOf([400, 422]),
        expect.stringContaining('BANK_FILE_UNREADABLE'),
      ]);
    });
  });

  describe('a role', () => {
    it('is refused what it does not reach by the API itself, which logs it', async () => {
      const { operator, browser } = as('viewer');
      const { form = '' } = hiddenIn((await browser.get('/console')).body);
      const answer = await server.call('POST', '/console/actions/suspendPartner', {
        headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: encoded({ form, 'path:id': partner.id, reason: 'because' }),
      });
      expect([answer.statusCode, textOf(answer)]).toEqual([403, expect.stringContaining('ROLE_REFUSED')]);
      expect((await browser.get('/console/operators')).statusCode).toBe(403);
      const refusals = server.logged.split('\n').filter((line) => line.includes('"role_refused"'));
      expect(refusals.filter((line) => line.includes(`operator:${operator.id}`)).length).toBeGreaterThanOrEqual(2);
      expect((await server.operate('GET', `/partners/${partner.id}`)).json()).toMatchObject({ status: 'ACTIVE' });
    });
  });

  describe('what others wrote', () => {
    it('stays text on every page that shows it', async () => {
      const made = await server.operate('POST', '/partners', {
        name: 'O’Neil & Sons',
        redirectUrl: 'https://x.example/',
      });
      expect(made.statusCode).toBe(201);
      const { id } = made.json<{ id: string }>();
      const serialNumber = `SN-${id}`;
      await server.operate('POST', '/terminals', {
        partnerId: id,
        serialNumber,
        merchant: HOSTILE,
        metadata: { x: HOSTILE },
      });
      await server.operate('POST', `/partners/${id}/suspend`, { reason: HOSTILE });
      await send('admin', 'createOperator', { name: 'O’Neil <b>', role: 'viewer' });
      const wallet = await kycWallet(server, partner);
      const { nuban } = (await server.operate('GET', `/wallets/${wallet}`)).json<{ nuban: string }>();
      await server.operate('PATCH', `/wallets/${wallet}`, { status: 'PNC', reason: HOSTILE });
      const payment = { type: 'INBOUND', nuban, amount: 5, reference: `hostile-${id}`, comment: HOSTILE };
      await server.operate('POST', '/transactions', { ...payment, sender: { name: HOSTILE } });
      const { browser } = as('admin');
      const seen = new Set<string>();
      const queue = [
        '/console',
        `/console/partners/${id}`,
        '/console/audit',
        '/console/suspense',
        '/console/operators',
      ];
      for (const path of queue) {
        if (seen.has(path) || seen.size > 60) continue;
        seen.add(path);
        const { body, statusCode, headers } = await browser.get(path);
        expect([path, statusCode]).toEqual([path, 200]);
        expect([path, /<img|<b>|onerror=alert\(1\)>|<script>/.test(body)]).toEqual([path, false]);
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringContaining("script-src 'self'; connect-src 'self'"),
        });
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
        const links = [...body.matchAll(/href="(\/console\/[^"]*)"/g)].map(([, link = '']) =>
          link.replaceAll('&amp;', '&'),
        );
        queue.push(...links.filter((link) => link.includes(id)));
      }
      for (const path of ['/console/audit', '/console/suspense']) {
        expect(textOf(await browser.get(path))).toContain(`<script>alert('x')</script>`);
      }
      const typed = await send('admin', `changePartner?id=${id}`, {
        name: HOSTILE,
        redirectUrl: HOSTILE,
        reason: HOSTILE,
      });
      expect(typed.statusCode).toBe(400);
      expect(/<img|<script>/.test(typed.body)).toBe(false);
      const asked = await browser.get(
        `/console/partners?status=${encodeURIComponent(HOSTILE)}&done=${encodeURIComponent(HOSTILE)}`,
      );
      expect([asked.statusCode, /<img|<script>/.test(asked.body)]).toEqual([400, false]);
    });
  });
});

describe('roles', () => {
  const server = useSharedApp();
  const PREFIX = '/operator/v1';
  type Operation = (typeof operatorOperations)[number];

  const operators: Partial<Record<Role, TestOperator>> = {};
  const described = new Map<string, Described>();
  beforeAll(async () => {
    for (const role of roles) operators[role] = await newOperator(server, role);
    for (const one of operationsOf(await readDocument(server, `${PREFIX}/openapi.json`))) {
      described.set(`${one.method} ${one.path}`, one);
    }
  });

  /** How often somebody was refused for their role, by a part of the log. */
  const refusalsIn = (log: string, { id }: TestOperator): number =>
    log.split('\n').filter((line) => line.includes('"role_refused"') && line.includes(`operator:${id}`)).length;

  const fileOf = ({ operationId }: Operation): string[] => (operationId === 'importBankFile' ? ['--file', '-'] : []);

  it.each(roles.filter((role) => role !== 'admin'))(
    'what a %s may not do is refused by the API, the command line and the console, and each time on record',
    async (role) => {
      const operator = operators[role];
      if (operator === undefined) throw new Error('nobody has this role');
      const browser = await signedIn(server, operator.token);
      const { form = '' } = hiddenIn((await browser.get('/console')).body);
      const paytag = commandLineOf(server, operator.token);

      const faces = {
        async api(operation: Operation) {
          const one = described.get(`${operation.method} ${PREFIX}${operation.path}`);
          if (one === undefined) throw new Error(`${operation.operationId} is not described`);
          const { method, url, headers, payload } = requestOf(one, {
            headers: {},
            bearers: { operator: operator.token },
          });
          const answer = await server.call(method, url, { headers, ...(payload === undefined ? {} : { payload }) });
          return answer.statusCode === 403 && answer.body.includes('ROLE_REFUSED');
        },
        async command(operation: Operation) {
          const meant = operation.irreversible === undefined ? [] : ['--yes'];
          const given = [...exampleOf(operation), ...meant, ...fileOf(operation)];
          const { code, err } = await paytag(given, { stdin: 'x' });
          return code === 4 && err.includes('ROLE_REFUSED') && err.includes(`needs the role ${operation.role}`);
        },
        async page({ operationId, method, path }: Operation) {
          const at = path.replaceAll(/\{\w+\}/g, 'something');
          const answer = await browser.get(method === 'GET' ? `/console${at}` : `/console/actions/${operationId}`);
          return answer.statusCode === 403 && answer.body.includes('ROLE_REFUSED');
        },
        async form({ operationId, path }: Operation) {
          const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [`path:${name}`, 'something']);
          const fields = { ...Object.fromEntries(parts), form, meant: 'yes', reason: 'a reason' };
          const headers = { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' };
          const answer = await server.call('POST', `/console/actions/${operationId}`, {
            headers,
            payload: encoded(fields),
          });
          return answer.statusCode === 403 && answer.body.includes('ROLE_REFUSED');
        },
      };

      const beyond = operatorOperations.filter((operation) => !mayDo(role, operation.role as Role));
      expect(beyond.length).toBeGreaterThan(10);
      const asked = beyond.flatMap((operation) =>
        Object.entries(faces).flatMap(([face, ask]) =>
          face === 'form' && operation.method === 'GET' ? [] : [{ operation, face, ask }],
        ),
      );
      const before = server.logged.length;
      const outcomes = [];
      for (const { operation, face, ask } of asked) {
        outcomes.push([operation.operationId, face, (await ask(operation)) ? 'refused' : 'not refused']);
      }
      expect(outcomes.filter(([, , outcome]) => outcome !== 'refused')).toEqual([]);
      expect(refusalsIn(server.logged.slice(before), operator)).toBe(asked.length);
    },
  );
});
