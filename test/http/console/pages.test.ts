import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { mayDo, type Role, roles } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { nameOfMember } from '../../../src/routes/console/actions/action-form.ts';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { customerIdOf } from '../../support/customers.ts';
import { newCustomer, newPerson } from '../../support/onboarding.ts';
import { newOperator } from '../../support/operators.ts';
import { MASTER_KEY } from '../../support/process.ts';
import { kycWallet, loggedIn, moveMoney } from '../../support/wallets.ts';
import { encoded, hiddenIn, signedIn, type TestConsole, textOf } from './console.ts';

const server = useSharedApp();

describe('pages', () => {
  const browsers = new Map<Role, TestConsole>();
  beforeAll(async () => {
    for (const role of roles) browsers.set(role, await signedIn(server, (await newOperator(server, role)).token));
  });
  function as(role: Role): TestConsole {
    const browser = browsers.get(role);
    if (browser === undefined) throw new Error('nobody has this role');
    return browser;
  }

  /** Where the console begins an operation, as its page of all operations says. */
  const addresses = (page: string): string[] =>
    [...page.matchAll(/<li><a href="([^"]+)">[^<]+<\/a>: /g)].map(([, address = '']) => address);

  const addressOf = ({ operationId, method, path }: (typeof operatorOperations)[number]): string => {
    if (method !== 'GET') return `/console/actions/${operationId}`;
    return path.includes('{') ? `/console/open/${operationId}` : `/console${path}`;
  };

  describe('one list, and a page for each line of it', () => {
    it.each(roles)('a %s is offered each operation that their role may do, and no other', async (role) => {
      const mine = operatorOperations.filter((operation) => mayDo(role, operation.role as Role));
      const offered = addresses((await as(role).get('/console/operations')).body);
      expect(offered.toSorted()).toEqual(mine.map(addressOf).toSorted());
      expect(offered.length).toBeGreaterThan(30);
    });

    it.each(roles)('each page answers a %s, or says that their role may not', async (role) => {
      const outcomes = [];
      for (const operation of operatorOperations) {
        const answer = await as(role).get(addressOf(operation));
        const isRefused = answer.statusCode === 403 && textOf(answer).includes('Your role may not do this');
        outcomes.push([operation.operationId, answer.statusCode === 200 || (isRefused && 'refused'), !isRefused]);
      }
      const expected = operatorOperations.map((operation) => {
        const may = mayDo(role, operation.role as Role);
        return [operation.operationId, may ? true : 'refused', may];
      });
      expect(outcomes).toEqual(expected);
    });
  });

  /** The fields of a page's forms, by their names. */
  const fieldsOn = (page: string): Set<string> =>
    new Set([...page.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name = '']) => name));

  /** How a page is asked for; what the console asks by itself first, always; and how it sends a file. */
  const NO_FIELDS = new Set(['limit', 'offset', 'cursor', 'format', 'dryRun', 'encoding']);

  describe('what one face takes, the others take', () => {
    it('the console has a field for each parameter and member of each operation, also where its pages are customPages by hand', async () => {
      const missing: string[] = [];
      for (const operation of operatorOperations) {
        const { operationId, path, kinds, list, parameters } = operation;
        if (operation.method === 'GET' && !list) continue;
        const base = operation.method === 'GET' && path.includes('{') ? undefined : addressOf(operation);
        if (base === undefined) continue; // what belongs to one thing is filtered on its page
        const pages = (kinds?.values ?? ['']).map((kind) => (kind === '' ? base : `${base}?${kinds?.by}=${kind}`));
        const answers = await Promise.all(pages.map(async (page) => (await as('admin').get(page)).body));
        const fields = new Set(answers.flatMap((page) => [...fieldsOn(page)]));
        for (const { name, in: place, members } of parameters) {
          if (place === 'path') continue; // what it is done to is chosen first
          const names = members === undefined ? [name] : members.map((member) => nameOfMember(name, 0, member.name));
          const lacking = names.filter((one) => !NO_FIELDS.has(one) && !fields.has(one));
          missing.push(...lacking.map((one) => `${operationId}: ${one}`));
        }
      }
      expect(missing).toEqual([]);
    });
  });
});

describe('readable', () => {
  let viewer: TestConsole;
  let partner: TestPartner;
  beforeAll(async () => {
    viewer = await signedIn(server, (await newOperator(server, 'viewer')).token);
    partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  });

  const nameOf = async ({ id }: { id: string }): Promise<string> =>
    (await server.operate('GET', `/partners/${id}`)).json<{ name: string }>().name;
  const shown = async (path: string): Promise<string> => textOf(await viewer.get(`/console${path}`));

  describe('what a page names by its id', () => {
    it('is called by its name, and leads to it, in a list and on the page of a thing', async () => {
      const wallet = await kycWallet(server, partner);
      const link = `<a href="/console/partners/${partner.id}"><bdi title="${partner.id}">${await nameOf(partner)}</bdi></a>`;
      expect((await viewer.get('/console/wallets')).body).toContain(link);
      expect((await viewer.get(`/console/wallets/${wallet}`)).body).toContain(link);
    });

    it('is called so among others too', async () => {
      const all = [partner, await server.newPartner(), await server.newPartner(), await server.newPartner()];
      for (const one of all) await kycWallet(server, one);
      const page = await shown('/wallets');
      for (const one of all) expect(page).toContain(`${await nameOf(one)} `);
    });
  });

  describe('an amount', () => {
    it('has the sign of its currency where that is known, of what a wallet holds too, and none where it may be another', async () => {
      const [naira, points] = [await kycWallet(server, partner), await kycWallet(server, partner, 'FP')];
      for (const wallet of [naira, points]) {
        await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 12.5, reason: 'court order' });
      }
      expect(await shown(`/wallets/${naira}/liens`)).toContain('₦12.50');
      expect(await shown(`/wallets/${points}/liens`)).toContain('12.50 FP');
      await server.operate('POST', '/terminals', {
        partnerId: partner.id,
        serialNumber: 'SN-MAMA',
        merchant: 'Mama Put',
      });
      expect(await shown('/terminals')).toContain('₦0.00');
    });
  });

  describe('a receiver', () => {
    it('says why nothing is sent to it, who stopped it and what becomes of what waits', async () => {
      await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'they move house' });
      for (const page of [await shown('/receivers'), await shown(`/receivers/${partner.id}`)]) {
        expect(page).toMatch(
          /Paused by an operator, .+: they move house ?\. (Nothing is pending|Pending deliveries are sent when)/,
        );
      }
      await server.operate('POST', `/receivers/${partner.id}/resume`, {});
      expect(await shown(`/receivers/${partner.id}`)).toContain('Events are sent at once.');
    });

    it('without an address says that its events are kept', async () => {
      const { id } = await server.newPartner();
      expect(await shown(`/receivers/${id}`)).toContain('Its events are kept until it gives an address.');
    });
  });

  describe('the settings', () => {
    it('stand by what they are about, with where each came from, and no secret among them', async () => {
      const page = await viewer.get('/console/settings');
      const text = textOf(page);
      expect(text).toMatch(/WEBHOOK_TIMEOUT_MS Milliseconds that .+? \d+ milliseconds (Environment|Default)/);
      expect(text).toMatch(/MASTER_KEY Root key: .+? set, and not shown Environment/);
      const subjects = [...page.body.matchAll(/<h2>(?:<bdi>)?([^<]+)/g)].map(([, title]) => title);
      expect(subjects).toEqual(
        expect.arrayContaining(['Set here', 'The process', 'Stores and secrets', 'Webhooks', 'Outside providers']),
      );
      expect(page.body).not.toContain(MASTER_KEY);
    });
  });
});

describe('bounds', () => {
  const KIB = 1024;
  const FORM_MAX = 64 * KIB;
  /** The letter that takes most bytes in a form. */
  const WIDEST = '😀';
  const withFiles = ['importBankFile'];
  const forms = operatorOperations.filter(
    ({ method, operationId }) => method !== 'GET' && !withFiles.includes(operationId),
  );

  let admin: TestConsole;
  beforeAll(async () => {
    admin = await signedIn(server, (await newOperator(server, 'admin')).token);
  });

  const post = (path: string, type: string, payload: string) =>
    server.call('POST', `/console${path}`, { headers: { cookie: admin.cookie, 'content-type': type }, payload });
  const URLENCODED = 'application/x-www-form-urlencoded';

  it('a form takes what fills its longest fields, in letters of any script, and no more than 64 KiB; one with a file 17 MiB', async () => {
    const filled = forms.map(({ operationId, parameters }) => {
      const texts = parameters.map(({ name, maxLength = 36 }): [string, string] => [name, WIDEST.repeat(maxLength)]);
      return [operationId, encoded(Object.fromEntries(texts)).length];
    });
    expect(filled.filter(([, length]) => Number(length) > FORM_MAX - 2 * KIB)).toEqual([]);
    const tooLong = encoded({ reason: 'x'.repeat(FORM_MAX) });
    const outcomes = await Promise.all(
      [...forms.map(({ operationId }) => `/actions/${operationId}`), '/search', '/sign-in', '/sign-out'].map(
        async (path) => [path, (await post(path, URLENCODED, tooLong)).statusCode],
      ),
    );
    expect(outcomes.filter(([, status]) => status !== 413)).toEqual([]);
    const { form = '' } = hiddenIn((await admin.get('/console/actions/importBankFile')).body);
    const file = encoded({ form, rail: 'INBOUND', format: 'MT940', content: btoa('x'.repeat(FORM_MAX)) });
    const read = await post('/actions/importBankFile', URLENCODED, file);
    expect(textOf(read)).toContain('BANK_FILE_UNREADABLE');
    const large = await post('/actions/importBankFile', URLENCODED, `content=${'x'.repeat(17 * KIB * KIB)}`);
    expect([large.statusCode, textOf(large)]).toEqual([413, expect.stringContaining('17408 KiB')]);
  });

  it('a form without a file is not read in parts', async () => {
    const part = '--x\r\ncontent-disposition: form-data; name="reason"\r\n\r\n1\r\n--x--\r\n';
    const answer = await post('/actions/createPartner', 'multipart/form-data; boundary=x', part);
    expect([answer.statusCode, textOf(answer)]).toEqual([415, expect.stringContaining('UNSUPPORTED_MEDIA_TYPE')]);
  });
});

describe('search', () => {
  let viewer: TestConsole;
  let partner: TestPartner;
  let ada: { paytag: string; wallet: string };
  beforeAll(async () => {
    viewer = await signedIn(server, (await newOperator(server, 'viewer')).token);
    partner = await server.newPartner({ float: 100 });
    ada = await loggedIn(server, partner);
    await moveMoney(server, partner, ada.wallet, 'credit', { amount: 7, reference: 'search-me' });
  });

  const find = (q: string) => viewer.send('/console/search', { q }, '/console');

  it('goes where a reference, a tag, an account number or an id belongs', async () => {
    const wallet = (await server.operate('GET', `/wallets/${ada.wallet}`)).json<{ nuban: string }>();
    for (const [typed, there] of [
      [ada.wallet, `/console/wallets/${ada.wallet}`],
      [` ${partner.id} `, `/console/partners/${partner.id}`],
      [wallet.nuban, `/console/wallets/${ada.wallet}`],
    ] as const) {
      const answer = await find(typed);
      expect([typed, answer.statusCode, answer.headers.location]).toEqual([typed, 303, there]);
    }
  });

  it('offers what it may be, where it may be several things, and says when it is nothing', async () => {
    const id = await customerIdOf(server, ada.paytag);
    const tag = await find(`@${ada.paytag}`);
    expect(tag.statusCode).toBe(200);
    expect(tag.body).toContain(`href="/console/tags/${ada.paytag}"`);
    expect(tag.body).toContain(`href="/console/customers/${id}"`);
    const nothing = await find('nobody-is-called-so');
    expect([nothing.statusCode, textOf(nothing)]).toEqual([200, expect.stringContaining('Nothing found')]);
  });

  it('of an id that nothing has says how the log is searched, since it may be that of a request', async () => {
    const id = randomUUID();
    const answer = await find(id);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/console/requests/${id}`]);
    expect(textOf(await viewer.get(`/console/requests/${id}`))).toContain(`look in the log for requestId=${id}`);
  });

  it('finds people by their phone, and neither an address nor the log holds it', async () => {
    const person = newPerson();
    await newCustomer(server, partner, person);
    const answer = await find(person.phone);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, expect.stringContaining('/console/customers/')]);
    expect(server.logged).not.toContain(person.phone);
  });
});
