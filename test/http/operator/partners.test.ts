import { describe, expect, it } from 'vitest';
import { addUpDays } from '../../../src/modules/ledger/index.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';
import { customerToken, logIn, newCustomer } from '../../support/onboarding.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { kycWallet, loggedIn, moveMoney, pay, paymentsOf } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_STAMP_DUTY: '1', FEE_PARTNER_GATEWAY: '1%' });

describe('GET /partners', () => {
  const find = (query = '') => server.operate('GET', `/partners${query}`);

  it('finds partners, newest first, in pages, without their keys', async () => {
    const [first, second] = [await server.newPartner(), await server.newPartner()];
    const all = await find();
    expect(all.json()).toMatchObject({ limit: 20, offset: 0, items: [{ id: second.id }, { id: first.id }] });
    expect(all.json().items[0]).toEqual({
      id: second.id,
      name: expect.stringMatching(/^Partner \d+$/),
      clientId: second.clientId,
      redirectUrl: 'https://partner.example/callback?from=paytag',
      status: 'ACTIVE',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    for (const secret of [second.apiKey, second.webhookSecret]) expect(all.body).not.toContain(secret);
    const { count } = all.json();
    expect((await find('?limit=1&offset=1')).json()).toMatchObject({ count, limit: 1, items: [{ id: first.id }] });
    expect((await find('?limit=0')).json()).toEqual({ items: [], count, limit: 0, offset: 0 });
    expect((await find('?limit=101')).json().limit).toBe(100);
    expect((await find('?offset=1000')).json()).toMatchObject({ items: [], count });
  });

  it('finds by status', async () => {
    const { id } = await server.newPartner();
    await server.operate('POST', `/partners/${id}/suspend`, { reason: 'a complaint' });
    expect((await find('?status=SUSPENDED')).json()).toMatchObject({ count: 1, items: [{ id, status: 'SUSPENDED' }] });
    const active = (await find('?status=ACTIVE&limit=100')).json();
    expect(active.items.map((one: { id: string }) => one.id)).not.toContain(id);
  });
});

describe('GET /partners/{id}', () => {
  const get = (id: string) => server.operate('GET', `/partners/${id}`);

  it('where its customers and events are sent, and that it has a key, without any', async () => {
    const webhookUrl = 'http://127.0.0.1:9/hooks';
    const partner = await server.newPartner({ webhookUrl, float: 1000.5 });
    const answer = await get(partner.id);
    expect(answer.json()).toEqual({
      id: partner.id,
      name: expect.stringMatching(/^Partner \d+$/),
      clientId: partner.clientId,
      redirectUrl: 'https://partner.example/callback?from=paytag',
      webhookUrl,
      status: 'ACTIVE',
      keys: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), createdAt: expect.any(String) }],
      floats: [
        { currency: 'NGN', balance: 1000.5 },
        { currency: 'FP', balance: 0 },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    for (const secret of [partner.apiKey, partner.webhookSecret]) expect(answer.body).not.toContain(secret);
    expect((await get(partner.id.toUpperCase())).json()).toEqual(answer.json());
  });

  it('leaves out a webhook URL that it does not have', async () => {
    const { id } = await server.newPartner();
    expect((await get(id)).json()).not.toHaveProperty('webhookUrl');
  });
});

describe('POST /partners', () => {
  const given = { name: 'Acme Pay', redirectUrl: 'https://acme.example/callback' };

  it('creates a partner and shows its secrets this once', async () => {
    const answer = await server.operate('POST', '/partners', { ...given, webhookUrl: 'http://127.0.0.1:4321/hooks' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme Pay',
      clientId: expect.stringMatching(/^pc_[0-9a-f]{32}$/),
      apiKey: expect.stringMatching(/^sk_sandbox_[\w-]{43}$/),
      redirectUrl: 'https://acme.example/callback',
      webhookUrl: 'http://127.0.0.1:4321/hooks',
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      status: 'ACTIVE',
      createdAt: expect.any(String),
    });
  });

  it('leaves out a webhook URL that was not given', async () => {
    const answer = await server.operate('POST', '/partners', { ...given, webhookUrl: '' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).not.toHaveProperty('webhookUrl');
  });

  it('writes who created what to the audit log, without the secrets', async () => {
    const created = (await server.operate('POST', '/partners', given)).json();
    const { rows } = await server.owner.query('select * from audit.entry where target = $1', [created.id]);
    expect(rows).toMatchObject([{ actor: 'operator:root', action: 'partner.create', after: given }]);
    for (const secret of [created.apiKey, created.clientId, created.webhookSecret]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    await expect(server.owner.query('delete from audit.entry')).rejects.toMatchObject({ code: 'PT002' });
  });
});

describe('PATCH /partners/{id}', () => {
  const HOOKS = 'http://127.0.0.1:9/hooks';
  const patch = (id: string, body: object) =>
    server.operate('PATCH', `/partners/${id}`, { reason: 'they moved', ...body });

  it('changes name, redirect URL and webhook URL, and is audited with before, after and the reason', async () => {
    const { id } = await server.newPartner();
    const before = (await server.operate('GET', `/partners/${id}`)).json();
    const change = { name: 'New Name', redirectUrl: 'https://new.example/back', webhookUrl: HOOKS };
    const answer = await patch(id, change);
    expect(answer.json()).toEqual({ ...before, ...change, updatedAt: expect.any(String) });
    expect((await server.operate('GET', `/receivers/${id}`)).json().url).toBe(HOOKS);
    expect((await auditOf(server, id)).at(-1)).toEqual(
      byRoot('partner.change', {
        before: {
          name: before.name,
          redirectUrl: before.redirectUrl,
          webhookUrl: null,
          hasContact: false,
        },
        after: { ...change, hasContact: false, contactDigest: null },
        reason: 'they moved',
      }),
    );
  });

  it('what is not given stays; a webhook URL of null is taken away', async () => {
    const { id } = await server.newPartner({ webhookUrl: HOOKS });
    expect((await patch(id, { name: 'Other' })).json()).toMatchObject({ name: 'Other', webhookUrl: HOOKS });
    const without = (await patch(id, { webhookUrl: null })).json();
    expect(without).not.toHaveProperty('webhookUrl');
    expect(without).toMatchObject({ name: 'Other', redirectUrl: expect.stringContaining('partner.example') });
  });

  it('the next login returns to the new redirect URL, and whoever is logged in stays so', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    await patch(partner.id, { redirectUrl: 'https://new.example/back' });
    expect((await logIn(server, partner, paytag)).body).toMatch(/^https:\/\/new\.example\/back\?auth-code=/);
    const headers = { ...partner.headers, authorization: `Bearer ${token}` };
    expect((await server.call('GET', '/v2/sso/wallet', { headers })).statusCode).toBe(200);
  });
});

describe('POST /partners/{id}/suspend', () => {
  const { gateway } = paymentsOf(server);
  const suspend = (id: string, body: object = { reason: 'a complaint' }) =>
    server.operate('POST', `/partners/${id}/suspend`, body);

  it('refuses its next call and its customers’, at no other partner, and is audited with its reason', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const ada = await loggedIn(server, partner);
    const answer = await suspend(partner.id);
    expect(answer.json()).toMatchObject({ id: partner.id, status: 'SUSPENDED', keys: [expect.any(Object)] });
    const float = (headers: Record<string, string>) => server.call('GET', '/v2/partner/float', { headers });
    expect(refusalOf(await float(partner.headers))).toEqual([403, 'PARTNER_SUSPENDED']);
    const wallet = await server.call('GET', '/v2/sso/wallet', { headers: ada.headers });
    expect(refusalOf(wallet)).toEqual([403, 'PARTNER_SUSPENDED']);
    expect((await float(other.headers)).statusCode).toBe(200);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual(
      byRoot('partner.suspend', {
        before: { status: 'ACTIVE' },
        after: { status: 'SUSPENDED' },
        reason: 'a complaint',
      }),
    );
  });

  it('what rails report for it is booked all the same', async () => {
    const partner = await server.newPartner();
    await suspend(partner.id);
    expect((await gateway(partner, { amount: 10 })).statusCode).toBe(200);
  });

  it('409: one that is suspended: exactly one of ten concurrent requests suspends it', async () => {
    const { id } = await server.newPartner();
    const all = await Promise.all(Array.from({ length: 10 }, () => suspend(id)));
    const refused = all.filter(({ statusCode }) => statusCode !== 200).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'PARTNER_STATUS_CONFLICT']));
    const entries = await auditOf(server, id);
    expect(entries.filter(({ action }) => action === 'partner.suspend')).toHaveLength(1);
  });
});

describe('POST /partners/{id}/restore', () => {
  const restore = (id: string, body: object = { reason: 'settled' }) =>
    server.operate('POST', `/partners/${id}/restore`, body);
  const suspended = async () => {
    const partner = await server.newPartner();
    await server.operate('POST', `/partners/${partner.id}/suspend`, { reason: 'a complaint' });
    return partner;
  };

  it('takes its calls again, with the key it had, and is audited with its reason', async () => {
    const { id, headers } = await suspended();
    const answer = await restore(id);
    expect(answer.json()).toMatchObject({ id, status: 'ACTIVE' });
    expect((await server.call('GET', '/v2/partner/float', { headers })).statusCode).toBe(200);
    expect((await auditOf(server, id)).at(-1)).toEqual(
      byRoot('partner.restore', { before: { status: 'SUSPENDED' }, after: { status: 'ACTIVE' }, reason: 'settled' }),
    );
  });
});

describe('GET /partners/{id}/day/{date}', () => {
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
  const addUp = () => addUpDays(server.resources, { graceS: 0, everyS: 0 });
  const dayOf = async ({ id }: TestPartner, day = today) =>
    (await server.operate('GET', `/partners/${id}/day/${day}`)).json<{
      closed: boolean;
      ties: boolean;
      differences: object[];
      items: Record<string, unknown>[];
    }>();
  const naira = (items: Record<string, unknown>[]) =>
    items.filter(({ currency, movements }) => currency === 'NGN' && movements !== 0);

  /** Funds, credits, debits, a payment and a transfer to another partner's customer, with a part of it added up already. */
  async function busyPartner() {
    const partner = await server.newPartner({ float: 1_000 });
    const other = await server.newPartner({ float: 1_000 });
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 300, reference: 'in' });
    await addUp();
    await moveMoney(server, partner, wallet, 'debit', { amount: 40.5, reference: 'out' });
    await paymentsOf(server).gateway(partner, { amount: 200 });
    const [payer, payee] = [await loggedIn(server, partner, 100), await loggedIn(server, other)];
    await pay(server, payer, { paytag: payee.paytag, amount: 50, reference: 'rent' });
    return { partner, other };
  }

  it('opens with nothing, shows what moved by type and what was charged, and ties to the kobo', async () => {
    const { partner, other } = await busyPartner();
    const expected = async () => {
      const { closed, ties, differences, items } = await dayOf(partner);
      expect([closed, ties, differences]).toEqual([false, true, []]);
      const float = { account: 'FLOAT', currency: 'NGN' };
      const wallet = { account: 'WALLET', currency: 'NGN' };
      expect(naira(items)).toEqual([
        { ...float, opening: 0, in: 1_238.5, out: 400, movements: 5, closing: 838.5 },
        { ...float, type: 'FLOAT_FUNDING', in: 1_000, out: 0, movements: 1 },
        { ...float, type: 'PARTNER_GATEWAY', in: 198, out: 0, movements: 1 },
        { ...float, type: 'PARTNER_WALLET_CREDIT', in: 0, out: 400, movements: 2 },
        { ...float, type: 'PARTNER_WALLET_DEBIT', in: 40.5, out: 0, movements: 1 },
        { ...wallet, opening: 0, in: 400, out: 100.5, movements: 4, closing: 299.5 },
        { ...wallet, type: 'PARTNER_WALLET_CREDIT', in: 400, out: 0, movements: 2 },
        { ...wallet, type: 'PARTNER_WALLET_DEBIT', in: 0, out: 40.5, movements: 1 },
        { ...wallet, type: 'TRANSFER', in: 0, out: 60, movements: 1 },
        { account: 'FEE', currency: 'NGN', in: 12, out: 0, movements: 2 },
        { account: 'STAMP_DUTY', currency: 'NGN', in: 1, out: 0, movements: 1 },
      ]);
    };
    await expected();
    await addUp();
    await expected();
    const received = naira((await dayOf(other)).items).filter(({ type }) => type === 'TRANSFER');
    expect(received).toEqual([{ account: 'WALLET', currency: 'NGN', type: 'TRANSFER', in: 49, out: 0, movements: 1 }]);
  });

  it('a day before anything was moved is empty, closed, and ties', async () => {
    const { partner } = await busyPartner();
    const { closed, ties, items } = await dayOf(partner, '2026-01-31');
    expect([closed, ties]).toEqual([true, true]);
    expect(items.map(({ closing = 0 }) => closing)).toEqual(items.map(() => 0));
  });

  it('names what does not tie, and by how much', async () => {
    const { partner } = await busyPartner();
    await addUp();
    await server.owner.query(
      `update books.partner_day_total set credits = credits + 250
        where partner_id = $1 and kind = 'WALLET' and type = 'PARTNER_WALLET_CREDIT'`,
      [partner.id],
    );
    const { ties, differences } = await dayOf(partner);
    expect([ties, differences]).toEqual([false, [{ account: 'WALLET', currency: 'NGN', difference: -2.5 }]]);
  });

  it('is a file of its lines; the partner reads the same of itself, and of nobody else', async () => {
    const { partner, other } = await busyPartner();
    const file = await server.operate('GET', `/partners/${partner.id}/day/${today}?format=csv`);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffaccount,currency,type,opening,in,out,movements,closing',
      'FLOAT,NGN,,0,1238.5,400,5,838.5',
    ]);
    const own = (of: TestPartner, format = 'json') =>
      server.call('GET', `/v2/partner/day/${today}?format=${format}`, { headers: of.headers });
    const answer = await own(partner);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ Date: today, Closed: false, Ties: true });
    expect(answer.json().items[0]).toEqual({
      Account: 'FLOAT',
      Currency: 'NGN',
      OpeningBalance: 0,
      In: 1_238.5,
      Out: 400,
      Movements: 5,
      ClosingBalance: 838.5,
    });
    expect((await own(partner, 'csv')).body).toContain('FLOAT,NGN,,0,1238.5,400,5,838.5\r\n');
    expect((await own(other)).json().items[0].ClosingBalance).toBe(1_000);
    expect((await server.call('GET', '/v2/partner/day/2999-01-01', { headers: partner.headers })).statusCode).toBe(400);
  });
});

describe('POST /partners/{id}/float', () => {
  const fund = (id: string, body: object) => server.operate('POST', `/partners/${id}/float`, body);

  it('adds to the float and answers its balance, in each currency', async () => {
    const { id } = await server.newPartner();
    expect((await fund(id, { amount: 1000.5, reference: `a-${id}` })).json()).toEqual({
      currency: 'NGN',
      balance: 1000.5,
    });
    expect((await fund(id, { amount: 0.5, reference: `b-${id}` })).json()).toEqual({ currency: 'NGN', balance: 1001 });
    const points = await fund(id, { amount: 7, currency: 'FP', reference: `c-${id}` });
    expect(points.json()).toEqual({ currency: 'FP', balance: 7 });
  });

  it('a repeated reference funds once, and once only is it in the audit log', async () => {
    const { id } = await server.newPartner();
    const first = await fund(id, { amount: 50, reference: `twice-${id}` });
    await fund(id, { amount: 1, reference: `between-${id}` });
    expect((await fund(id, { amount: 50, reference: `twice-${id}` })).json()).toEqual(first.json());
    const { rows } = await server.owner.query(
      `select after from audit.entry where action = 'float.fund' and target = $1`,
      [id],
    );
    expect(rows.map((row) => row.after.balance)).toEqual(['5000', '5100']);
  });

  it('409: a reference that stands for another amount of this partner, and for no other partner', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    await fund(one.id, { amount: 1, reference: 'shared' });
    expect(refusalOf(await fund(one.id, { amount: 2, reference: 'shared' }))).toEqual([409, 'REFERENCE_REUSED']);
    expect((await fund(two.id, { amount: 2, reference: 'shared' })).statusCode).toBe(200);
  });

  it('422: more than a float can hold, and the reference stays declined', async () => {
    const { id } = await server.newPartner({ float: 1 });
    const entries = await auditOf(server, id);
    const over = { amount: 9_999_999_999_999.99, reference: `full-${id}` };
    for (let times = 0; times < 2; times += 1) {
      expect(refusalOf(await fund(id, over))).toEqual([422, 'BALANCE_EXCEEDED']);
    }
    expect(await auditOf(server, id)).toEqual(entries);
  });
});

describe('POST /partners/{id}/settlement', () => {
  const alone = useApp();
  const settle = (id: string, body: object) => alone.operate('POST', `/partners/${id}/settlement`, body);

  it('takes from the float, answers its balance, and is audited', async () => {
    const { id } = await alone.newPartner({ float: 1_000 });
    const answer = await settle(id, { amount: 400.5, reference: `s-${id}` });
    expect(answer.json()).toEqual({ currency: 'NGN', balance: 599.5 });
    expect((await auditOf(alone, id)).at(-1)).toEqual(
      byRoot('float.settle', {
        before: { currency: 'NGN', balance: '100000' },
        after: { currency: 'NGN', balance: '59950', reference: `s-${id}` },
      }),
    );
  });

  it('a repeated reference settles once, and once only is it audited', async () => {
    const { id } = await alone.newPartner({ float: 100 });
    const first = await settle(id, { amount: 60, reference: `twice-${id}` });
    const entries = (await auditOf(alone, id)).length;
    expect((await settle(id, { amount: 60, reference: `twice-${id}` })).json()).toEqual(first.json());
    expect(await auditOf(alone, id)).toHaveLength(entries);
  });

  it('422: more than the float holds leaves nothing but the declined reference, and no audit', async () => {
    const { id } = await alone.newPartner({ float: 100 });
    const entries = (await auditOf(alone, id)).length;
    const over = () => settle(id, { amount: 100.01, reference: `over-${id}` });
    expect(refusalOf(await leavesNothingBut(alone, 1, over))).toEqual([422, 'INSUFFICIENT_FUNDS']);
    await alone.operate('POST', `/partners/${id}/float`, { amount: 100, reference: `more-${id}` });
    expect((await leavesNothingBut(alone, 0, over)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
    expect(await auditOf(alone, id)).toHaveLength(entries + 1);
    expect(await brokenInvariants(alone)).toEqual([]);
  });
});
