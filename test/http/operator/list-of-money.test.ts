import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { waitingPayment } from '../../support/suspense.ts';
import { changeWallet, fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
let made: { partner: TestPartner; wallet: string };
let first: Date;
const references = async (query: Record<string, string>) => {
  const answer = await server.operate('GET', `/transactions?${new URLSearchParams(query).toString()}`);
  expect(answer.statusCode).toBe(200);
  const { items, count } = answer.json<{ items: { Reference: string; CreatedAt: string }[]; count: number }>();
  expect(count).toBe(items.length);
  return items.map(({ Reference }) => Reference);
};
const file = async (path: string, token = server.resources.operatorToken) => {
  const answer = await server.call('GET', `/operator/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.body.startsWith('\ufeff')).toBe(true);
  return { lines: answer.body.slice(1).trimEnd().split('\r\n'), headers: answer.headers };
};

beforeAll(async () => {
  made = await fundedWallet(server, 100);
  const { partner, wallet } = made;
  const move = async (type: 'credit' | 'debit', body: object) => moveMoney(server, partner, wallet, type, body);
  first = new Date();
  await move('debit', { amount: 10, reference: 'ten', externalReference: 'order-9', comment: '=cmd' });
  await move('debit', { amount: 20.5, reference: 'twenty' });
  await move('debit', { amount: 5000, reference: 'refused' });
  await move('credit', { amount: 30, reference: 'back', metadata: { phone: '08031234567' } });
});

describe('transactions of all partners', () => {
  it('are listed newest first, the refused ones too', async () => {
    const { id: partnerId } = made.partner;
    const all = await references({ partnerId });
    expect(all.slice(0, 4)).toEqual(['back', 'refused', 'twenty', 'ten']);
    const whole = (await server.operate('GET', '/transactions?limit=2')).json();
    expect(whole).toMatchObject({ items: [{ Reference: 'back', PartnerID: partnerId }, { Reference: 'refused' }] });
    const next = (await server.operate('GET', `/transactions?limit=2&cursor=${whole.nextCursor}`)).json();
    expect(next.items).toMatchObject([{ Reference: 'twenty' }, { Reference: 'ten', ExternalReference: 'order-9' }]);
  });

  it.each([
    [{ type: 'PARTNER_WALLET_DEBIT' }, ['refused', 'twenty', 'ten']],
    [{ status: 'Failed' }, ['refused']],
    [{ status: 'Failed', type: 'PARTNER_WALLET_CREDIT' }, []],
    [{ status: 'Pending' }, []],
    [{ amountFrom: '20.50', amountTo: '30' }, ['back', 'twenty']],
    [{ externalReference: 'order-9' }, ['ten']],
    [{ currency: 'FP' }, []],
    [{ namer: 'RAIL' }, []],
    [{ reference: 'ten', amountTo: '9.99' }, []],
    [{ reference: 'ten', status: 'Successful' }, ['ten']],
  ])('that are %j', async (query: Record<string, string>, expected) => {
    const partnerId = made.partner.id;
    expect(await references({ partnerId, from: first.toISOString(), ...query })).toEqual(expected);
    const other = await server.newPartner();
    expect(await references({ partnerId: other.id, ...query })).toEqual([]);
  });

  it('of a time are all that were made in it, and no others', async () => {
    const { rows } = await server.owner.query<{ reference: string; created_at: Date }>(
      'select reference, created_at from ledger.transaction where partner_id = $1 order by id desc',
      [made.partner.id],
    );
    for (const { created_at: at } of rows) {
      const named = (those: typeof rows) => those.map(({ reference }) => reference);
      const partnerId = made.partner.id;
      expect(await references({ partnerId, from: at.toISOString() })).toEqual(
        named(rows.filter((one) => one.created_at >= at)),
      );
      expect(await references({ partnerId, to: at.toISOString() })).toEqual(
        named(rows.filter((one) => one.created_at < at)),
      );
    }
    expect(await references({ from: '2099-01-01T00:00:00Z' })).toEqual([]);
    expect(await references({ to: '1999-01-01T00:00:00Z' })).toEqual([]);
  });
});

describe('a file', () => {
  it('has all that a filter asks for, a page at a time, with nothing in it that a spreadsheet runs', async () => {
    const { lines, headers } = await file(
      `/transactions?format=csv&partnerId=${made.partner.id}&from=${first.toISOString()}`,
    );
    const [header = '', ...rows] = lines;
    expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"');
    expect(headers).not.toHaveProperty('link');
    expect(header).toMatch(/^Type,ID,Amount,.*,Reference,.*,Namer,PartnerID$/);
    expect(rows).toHaveLength(4);
    const ten = rows.at(-1)?.split(',') ?? [];
    expect(ten[header.split(',').indexOf('Comment')]).toBe(`'=cmd`);
    expect(ten[header.split(',').indexOf('Amount')]).toBe('10');
  });

  it('that ends before the list does says where it goes on', async () => {
    const path = `/transactions?format=csv&partnerId=${made.partner.id}&from=${first.toISOString()}&limit=3`;
    const begun = await file(path);
    expect(begun.lines).toHaveLength(4);
    const [, next = ''] = /^<(\?[^>]+)>; rel="next"$/.exec(String(begun.headers['link'])) ?? [];
    const rest = await file(`/transactions${next}`);
    expect(rest.lines).toHaveLength(2);
    expect(rest.lines[1]).toContain(',ten,');
    expect(rest.headers).not.toHaveProperty('link');
  });

  it('of more rows than a page has holds them all once', async () => {
    const partner = await server.newPartner();
    await server.owner.query(
      `insert into ledger.transaction (owner_id, namer, reference, partner_id, type, status, code, request_hash, amount, currency, created_at, mac)
        select $1, 'PARTNER', n::text, $1, 'PARTNER_WALLET_DEBIT', 'Failed', 'WALLET_PND', '', 100, 'NGN', now(), '' from generate_series(1, 250) n`,
      [partner.id],
    );
    const { lines } = await file(`/transactions?format=csv&partnerId=${partner.id}`);
    const column = (lines[0] ?? '').split(',').indexOf('Reference');
    const found = lines.slice(1).map((line) => Number(line.split(',')[column]));
    expect(found).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
  });

  it('is masked for a viewer as a page is', async () => {
    const { token } = await newOperator(server, 'viewer');
    const path = `/transactions?format=csv&partnerId=${made.partner.id}&from=${first.toISOString()}`;
    const seen = (await file(path, token)).lines.join('\n');
    expect(seen).not.toContain('08031234567');
    expect(seen).not.toContain('cmd');
    expect((await file(path)).lines.join('\n')).toContain('08031234567');
  });

  it('of wallets, of what waits and of our own accounts is one too', async () => {
    const { partner, wallet } = made;
    const waits = await waitingPayment(server, partner);
    await changeWallet(server, wallet, { status: 'PND' });
    const wallets = async (query: string) => (await file(`/wallets?format=csv&partnerId=${partner.id}${query}`)).lines;
    expect((await wallets('&status=PND&amountFrom=1&amountTo=1000&currency=NGN'))[1]).toContain(wallet);
    expect(await wallets('&status=PND&amountFrom=1001')).toHaveLength(1);
    expect(await wallets('&to=2000-01-01T00:00:00Z')).toHaveLength(1);
    const suspense = async (query: string) =>
      (await file(`/suspense?format=csv&partnerId=${partner.id}${query}`)).lines;
    expect((await suspense(`&from=${first.toISOString()}&amountFrom=0.01`))[1]).toMatch(new RegExp(`^${waits.id},`));
    expect(await suspense('&amountFrom=9000000')).toHaveLength(1);
    expect(await suspense('&type=TRANSFER')).toHaveLength(1);
    expect(await suspense('&to=2000-01-01T00:00:00Z')).toHaveLength(1);
    const accounts = (await file('/accounts?format=csv')).lines;
    expect(accounts[0]).toBe('account,currency,balance');
    expect(accounts).toHaveLength(23);
  });
});
