import { expect, it, vi } from 'vitest';
import { type Answer, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { importOf } from '../../support/bank-files.ts';
import { approve, newOperator, type TestOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { fundedWallet, loggedIn, moveMoney, newReference, newWallet, paymentsOf } from '../../support/wallets.ts';

/** Where nothing waits for its amount: what the tests need is made there. */
const open = useApp();
const server = useApp({ APPROVAL_ABOVE: '10' }, open);
const REASON = { reason: 'as decided' };

type Who = Pick<TestOperator, 'operate'>;
const lien = (wallet: string, amount: number, by: Who = open) =>
  by.operate('POST', `/wallets/${wallet}/liens`, { ...REASON, amount });
const statusOf = async (wallet: string) => (await server.operate('GET', `/wallets/${wallet}`)).json();

/** What somebody asks for waits, changes nothing, and is done when a second of the role approves it. */
async function waits(
  asked: { statusCode: number; json: () => { id: string; amount?: number } },
  amount: number,
  second: Who,
) {
  expect([asked.statusCode, asked.json().amount]).toEqual([202, amount]);
  const answer = await approve(second, asked.json().id);
  expect([answer.statusCode, answer.json().status]).toEqual([200, 'EXECUTED']);
}

it('V2.3.5: a lien above the threshold is lifted by two, and one below it by one', async () => {
  const { wallet } = await fundedWallet(open, 500);
  const finance = await newOperator(server, 'finance');
  const [large, small] = [(await lien(wallet, 400)).json(), (await lien(wallet, 10)).json()];
  expect((await finance.operate('POST', `/wallets/${wallet}/liens/${small.id}/lift`, REASON)).statusCode).toBe(200);
  const asked = await finance.operate('POST', `/wallets/${wallet}/liens/${large.id}/lift`, REASON);
  expect((await statusOf(wallet)).availableAmount).toBe(100);
  await waits(asked, 400, await newOperator(server, 'finance'));
  expect((await statusOf(wallet)).availableAmount).toBe(500);
  const unknown = await finance.operate('POST', `/wallets/${wallet}/liens/999999/lift`, REASON);
  expect(refusalOf(unknown)).toEqual([404, 'LIEN_NOT_FOUND']);
});

it('V2.3.5: a customer whose wallets hold more is released by two, and is told', async () => {
  const here = await open.newPartner({ float: 100 });
  const ada = await loggedIn(open, here, 100);
  const { id } = (await open.operate('POST', '/customers/find', { paytag: ada.paytag })).json().items[0];
  await open.operate('POST', `/customers/${id}/freeze`, REASON);
  const support = await newOperator(server, 'support');
  const asked = await support.operate('POST', `/customers/${id}/release`, REASON);
  expect((await statusOf(ada.wallet)).status).toBe('PND');
  await waits(asked, 100, await newOperator(server, 'support'));
  expect((await statusOf(ada.wallet)).status).toBe('Enabled');
  const { rows } = await open.owner.query('select kind from notices.notice where customer_id = $1 order by id', [id]);
  expect(rows.at(-1)).toEqual({ kind: 'RELEASED' });
});

it.each([
  ['Blocked', 'Enabled'],
  ['Blocked', 'PNC'],
  ['PND', 'Enabled'],
])('V2.3.5: a wallet that is %s becomes %s by two', async (from, to) => {
  const { wallet } = await fundedWallet(open, 50);
  await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: from });
  const support = await newOperator(server, 'support');
  const asked = await support.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: to });
  expect((await statusOf(wallet)).status).toBe(from);
  await waits(asked, 50, await newOperator(server, 'support'));
  expect((await statusOf(wallet)).status).toBe(to);
});

/** A wallet of a new partner with 50, for which 30 wait in suspense since it took nothing in. */
async function withWaiting(amount = 30) {
  const partner = await open.newPartner({ float: 50 });
  const { reference: wallet, nuban } = await newWallet(open, partner);
  await moveMoney(open, partner, wallet, 'credit', { amount: 50, reference: newReference() });
  await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: 'PNC' });
  await paymentsOf(open).inbound(nuban, { amount, reference: newReference() });
  return { partner, wallet, nuban };
}

const statuses = ['Enabled', 'PNC', 'PND', 'Blocked'] as const;
/** What a change lets be spent that could not be: of 50 that are there and 30 that wait, which a wallet takes in first where it can. */
const freed: Record<string, number> = {
  'PNC Enabled': 30,
  'PND Enabled': 80,
  'PND PNC': 80,
  'Blocked Enabled': 80,
  'Blocked PNC': 50,
};

it.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
  'V2.3.5: what waits in suspense for a wallet counts with what it holds: %s to %s',
  async (from, to) => {
    const { wallet } = await withWaiting();
    await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: from });
    const support = await newOperator(server, 'support');
    const before = server.logged.length;
    const asked = await support.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: to });
    const amount = freed[`${from} ${to}`];
    expect([asked.statusCode, asked.json().amount]).toEqual([amount === undefined ? 200 : 202, amount]);
    expect((await statusOf(wallet)).status).toBe(amount === undefined ? to : from);
    if (amount !== undefined) await approve(await newOperator(server, 'support'), asked.json().id);
    expect((await statusOf(wallet)).status).toBe(to);
    expect(server.logged.slice(before).includes('"event":"money_freed"')).toBe(amount !== undefined);
  },
);

it('V2.3.5: what waits for the wallets of a customer or a partner counts as well', async () => {
  const support = await newOperator(server, 'support');
  const here = await open.newPartner({ float: 50 });
  const ada = await loggedIn(open, here, 50);
  const { nuban } = (await open.operate('GET', `/wallets/${ada.wallet}`)).json();
  await open.operate('PATCH', `/wallets/${ada.wallet}`, { ...REASON, status: 'PNC' });
  await paymentsOf(open).inbound(nuban, { amount: 30, reference: newReference() });
  const { id } = (await open.operate('POST', '/customers/find', { paytag: ada.paytag })).json().items[0];
  await open.operate('POST', `/customers/${id}/freeze`, REASON);
  await open.operate('PATCH', `/wallets/${ada.wallet}`, { ...REASON, status: 'Blocked' });
  await open.operate('POST', `/partners/${here.id}/suspend`, REASON);
  for (const path of [`/customers/${id}/release`, `/partners/${here.id}/restore`]) {
    const asked = await support.operate('POST', path, REASON);
    expect([path, asked.statusCode, asked.json().amount]).toEqual([path, 202, 80]);
  }
});

/** Has calls run one after the other, in this order, each of which was begun before any was done: they wait for a lock. */
async function behind(
  lock: { text: string; values: string[] },
  ...calls: (() => Promise<Answer>)[]
): Promise<Answer[]> {
  const holder = await server.owner.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    const begun: Promise<Answer>[] = [];
    for (const call of calls) {
      begun.push(call());
      await vi.waitFor(async () => {
        const { rows } = await server.owner.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows[0]?.n).toBe(begun.length);
      });
    }
    await holder.query('rollback');
    return await Promise.all(begun);
  } finally {
    holder.release();
  }
}

it.each([
  [{ status: 'PND' }, { status: 'Enabled' }, 50],
  [{ status: 'Blocked' }, { status: 'PNC' }, 50],
  [{ dailyLimit: 5 }, { dailyLimit: 9000 }, 9000],
])(
  'V15.4.2: what a change frees is judged by what is there when it is made, not when it was asked for: %o, %o',
  async (first, then, amount) => {
    const { wallet } = await fundedWallet(open, 50);
    await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, ...then });
    const [one, other] = [await newOperator(server, 'admin'), await newOperator(server, 'admin')];
    const change = (by: Who, body: object) => () => by.operate('PATCH', `/wallets/${wallet}`, { ...REASON, ...body });
    const row = { text: 'select from wallets.partner_wallet where reference = $1 for update', values: [wallet] };
    const [kept, asked] = await behind(row, change(one, first), change(other, then));
    expect([kept?.statusCode, asked?.statusCode, asked?.json().amount]).toEqual([200, 202, amount]);
    expect(await statusOf(wallet)).toMatchObject(first);
  },
);

it('V15.4.2: so is what the reconciliation posts: by then another may have given the line a posting that it differs from', async () => {
  const day = new Date(open.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
  const line = { day, amount: 1000n, reference: `NIP-${newReference()}` };
  const { id } = (await open.operate('POST', '/reconciliation/imports', importOf('INBOUND', 'CSV', [line]))).json();
  const { items } = (await open.operate('GET', `/reconciliation/items?importId=${id}&limit=100`)).json();
  const { id: item } = items.find((one: { line?: number }) => one.line !== undefined);
  const { nuban } = await newWallet(open, await open.newPartner());
  const { ID: transactionId } = (await paymentsOf(open).inbound(nuban, { amount: 50 })).json();
  const [one, other] = [await newOperator(server, 'finance'), await newOperator(server, 'finance')];
  const resolve = (by: Who, body: object) => () =>
    by.operate('POST', `/reconciliation/items/${item}/resolve`, { ...REASON, ...body });
  const [matched, asked] = await behind(
    { text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: ['reconciliation:INBOUND'] },
    resolve(one, { action: 'MATCH', transactionId }),
    resolve(other, { action: 'POST', account: 'DIFFERENCE' }),
  );
  expect([matched?.json().status, asked?.statusCode, asked?.json().amount]).toEqual(['AMOUNT_DIFFERS', 202, 40]);
});

it('V2.3.5: an approval is for what was approved: of more, no more than one operator may free alone', async () => {
  const { partner, wallet } = await withWaiting();
  await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: 'PND' });
  const support = await newOperator(server, 'support');
  const asked = () => support.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: 'Enabled' });
  const arrives = async (amount: number) => {
    await open.operate('POST', `/partners/${partner.id}/float`, { amount, reference: newReference() });
    await moveMoney(open, partner, wallet, 'credit', { amount, reference: newReference() });
  };
  const { id } = (await asked()).json();
  await arrives(11);
  const outgrown = await approve(await newOperator(server, 'support'), id);
  expect(refusalOf(outgrown)).toEqual([409, 'APPROVAL_OUTGROWN']);
  expect((await server.operate('GET', `/approvals/${id}`)).json()).toMatchObject({ status: 'FAILED' });
  expect((await statusOf(wallet)).status).toBe('PND');
  const again = await asked();
  await arrives(10);
  await waits(again, 91, await newOperator(server, 'support'));
  expect((await statusOf(wallet)).availableAmount).toBe(101);
});

it.each([
  ['Enabled', 'Blocked'],
  ['Enabled', 'PND'],
  ['Blocked', 'PND'],
  ['PNC', 'Enabled'],
])('what keeps money back, or lets nothing out, does not wait: %s to %s', async (from, to) => {
  const { wallet } = await fundedWallet(open, 50);
  await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: from });
  const changed = await server.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: to });
  expect([changed.statusCode, changed.json().status]).toEqual([200, to]);
});

it('V2.3.5: a higher limit in a day is for two admins, and a lower one for one', async () => {
  const { wallet } = await fundedWallet(open, 50);
  const admin = await newOperator(server, 'admin');
  const lower = await admin.operate('PATCH', `/wallets/${wallet}`, { ...REASON, dailyLimit: 100 });
  expect(lower.statusCode).toBe(200);
  const asked = await admin.operate('PATCH', `/wallets/${wallet}`, { ...REASON, dailyLimit: 9000 });
  const support = await newOperator(server, 'support');
  expect(refusalOf(await approve(support, asked.json().id)), 'who may not ask for it').toEqual([403, 'ROLE_REFUSED']);
  const rejected = await support.operate('POST', `/approvals/${asked.json().id}/reject`, REASON);
  expect(refusalOf(rejected)).toEqual([403, 'ROLE_REFUSED']);
  await waits(asked, 9000, await newOperator(server, 'admin'));
  expect((await statusOf(wallet)).dailyLimit).toBe(9000);
  const own = await admin.operate('PATCH', `/wallets/${wallet}`, { ...REASON, dailyLimit: null });
  expect([own.statusCode, own.json().status], 'the tier’s is higher').toEqual([202, 'PENDING']);
});

it('V2.3.5: a higher tier is a higher limit', async () => {
  const { wallet } = await fundedWallet(open, 50);
  const { tier } = await statusOf(wallet);
  const up = await server.operate('PATCH', `/wallets/${wallet}`, { ...REASON, tier: 3 });
  expect([tier, up.statusCode]).toEqual([1, 202]);
});

it('V2.3.5: a suspended partner with more on its float and in its wallets comes back by two, and so does an application', async () => {
  const { partner } = await fundedWallet(open, 70);
  const { applicationId } = await newApplication(open);
  const support = await newOperator(server, 'support');
  for (const path of [`/partners/${partner.id}`, `/applications/${applicationId}`]) {
    expect((await support.operate('POST', `${path}/suspend`, REASON)).statusCode).toBe(200);
    const asked = await support.operate('POST', `${path}/restore`, REASON);
    expect((await server.operate('GET', path)).json().status).toBe('SUSPENDED');
    await waits(asked, asked.json().amount, await newOperator(server, 'support'));
    expect((await server.operate('GET', path)).json().status).toBe('ACTIVE');
  }
  const empty = await open.newPartner();
  await support.operate('POST', `/partners/${empty.id}/suspend`, REASON);
  expect((await support.operate('POST', `/partners/${empty.id}/restore`, REASON)).statusCode).toBe(200);
});

it('the books are whole after all of it', async () => {
  expect((await open.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
});
