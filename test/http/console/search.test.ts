import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { customerIdOf } from '../../support/customers.ts';
import { newCustomer, newPerson } from '../../support/onboarding.ts';
import { newOperator } from '../../support/operators.ts';
import { loggedIn, moveMoney } from '../../support/wallets.ts';
import { signedIn, type TestConsole, textOf } from './console.ts';

const server = useSharedApp();

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
