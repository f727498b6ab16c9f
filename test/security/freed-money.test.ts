import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { approve } from '../support/approvals.ts';
import { newOperator, type TestOperator } from '../support/operators.ts';
import { refusalOf } from '../support/refusals.ts';
import { fundedWallet, loggedIn } from '../support/wallets.ts';

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

it('V2.3.5: a suspended partner whose float holds more comes back by two, and so does an application', async () => {
  const partner = await open.newPartner({ float: 70 });
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
