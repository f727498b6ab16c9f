import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { customerIdOf } from '../../support/customers.ts';
import { partnerWithEvents } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { newCustomer, newPerson } from '../../support/onboarding.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newTerminal } from '../../support/terminals.ts';
import { type LoggedIn, logInAt, moveMoney } from '../../support/wallets.ts';

const server = useApp({ RATE_LIMIT_FINDS_PER_H: '20' });

interface Item {
  kind: string;
  id: string;
  title: string;
  where: string;
}
let viewer: TestOperator;
let partner: TestPartner;
let ada: LoggedIn;
const person = newPerson();
beforeAll(async () => {
  viewer = await newOperator(server, 'viewer');
  ({ partner } = await partnerWithEvents(server));
  ada = await logInAt(server, partner, await newCustomer(server, partner, person), 100);
});
const find = async (q: string): Promise<Item[]> => (await viewer.operate('POST', '/search', { q })).json().items;
const wheres = async (q: string) => (await find(q)).map(({ where }) => where);

it('finds what a reference, an account number or a serial number names, and where it is shown', async () => {
  const reference = `search-${randomUUID()}`;
  const externalReference = `theirs-${randomUUID()}`;
  await moveMoney(server, partner, ada.wallet, 'credit', { amount: 7, reference, externalReference });
  const [
    {
      items: [only],
    },
  ] = [(await server.operate('GET', `/transactions?reference=${reference}`)).json()];
  const transaction = { kind: 'TRANSACTION', id: String(only.ID), where: `/transactions/${reference}?id=${only.ID}` };
  expect(await find(reference)).toEqual([{ ...transaction, title: `${only.Type} ${reference}` }]);
  expect(await find(externalReference)).toMatchObject([transaction]);
  const shown = await server.operate('GET', `/wallets/${ada.wallet}`);
  const wallet = [{ kind: 'WALLET', id: ada.wallet, title: ada.wallet, where: `/wallets/${ada.wallet}` }];
  expect([await find(ada.wallet), await find(shown.json().nuban)]).toEqual([wallet, wallet]);
  const serial = await newTerminal(server, partner);
  expect(await wheres(serial)).toEqual([`/terminals/${serial}`]);
});

it('finds a PayTag with or without its @, and whose it is; a tag of an application by its address', async () => {
  const customer = await customerIdOf(server, ada.paytag);
  const both = [`/tags/${ada.paytag}`, `/customers/${customer}`];
  expect([await wheres(ada.paytag), await wheres(`@${ada.paytag}`)]).toEqual([both, both]);
  expect(await wheres(`${ada.paytag}@paytag`)).toContain(`/tags/${ada.paytag}`);
});

it('finds by an id, in whatever case, whatever has it', async () => {
  const { items } = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json<{
    items: { id: string }[];
  }>();
  const [delivery] = items;
  const { id: payout } = await unknownPayout(server);
  const { id: dispute } = await newDispute(server);
  const { applicationId } = await newApplication(server);
  const customer = await customerIdOf(server, ada.paytag);
  for (const [id, where] of [
    [delivery?.id, '/deliveries'],
    [payout, '/payouts'],
    [dispute, '/disputes'],
    [applicationId, '/applications'],
    [partner.id, '/partners'],
    [customer, '/customers'],
  ]) {
    expect(await wheres(` ${String(id).toUpperCase()} `)).toEqual([`${where}/${id}`]);
  }
  expect(await find(randomUUID())).toMatchObject([
    { kind: 'REQUEST', title: expect.stringContaining('nothing is kept') },
  ]);
});

it('finds partners and applications by how their names begin, in whatever case, and takes no pattern', async () => {
  const name = `Zebra_${randomUUID().slice(0, 8)}`;
  const { id } = (
    await server.operate('POST', '/partners', { name: `${name} Pay`, redirectUrl: 'https://zebra.example/back' })
  ).json<{ id: string }>();
  expect(await find(name.toUpperCase())).toEqual([
    { kind: 'PARTNER', id, title: `${name} Pay`, where: `/partners/${id}` },
  ]);
  expect([await find(name.replace('_', '%')), await find('%ebra')]).toEqual([[], []]);
});

it('finds people by phone and BVN, says nothing else of them, and writes that down without what was looked for', async () => {
  const customer = await customerIdOf(server, ada.paytag);
  const found = [{ kind: 'CUSTOMER', id: customer, title: `@${ada.paytag}`, where: `/customers/${customer}` }];
  const before = (await server.operate('GET', '/audit?action=customer.find')).json<{ count: number }>().count;
  expect([await find(person.phone), await find(person.bvn)]).toEqual([found, found]);
  const { items, count } = (await server.operate('GET', '/audit?action=customer.find')).json();
  expect(count).toBe(before + 2);
  expect(items[0]).toMatchObject({
    actor: expect.stringContaining(viewer.id),
    after: { by: 'bvn', found: [customer] },
  });
  expect(JSON.stringify(items)).not.toContain(person.bvn);
  expect(server.logged).not.toContain(person.phone);
});

it('429: searches for people are those that an operator may make in an hour; anything else may still be looked for', async () => {
  const busy = await newOperator(server, 'support');
  for (let n = 0; n < 20; n += 1) await busy.operate('POST', '/customers/find', { paytag: ada.paytag });
  expect(refusalOf(await busy.operate('POST', '/search', { q: person.phone }))).toEqual([429, 'TOO_MANY_REQUESTS']);
  expect((await busy.operate('POST', '/search', { q: ada.wallet })).statusCode).toBe(200);
});
