import { describe, expect, it } from 'vitest';
import { sendNotices, tellCustomer } from '#modules/notices';
import { AddressRefused, MessagingProviderDown, type TextMessage } from '../../../src/providers/messaging/port.ts';
import { cleanUp } from '../../../src/worker/cleanup.ts';
import { useApp } from '../../support/app.ts';
import { sentNotices } from '../../support/customers.ts';
import { completeReset, logIn, newCustomer, type Person, validatedReset } from '../../support/onboarding.ts';

const server = useApp();
const MINUTE_MS = 60_000;

const link = async (bvn: string) => {
  const partner = await server.newPartner();
  await server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: partner.headers });
  return partner;
};
const newPerson = async () => newCustomer(server, await server.newPartner());
/** Of one person: who they are stands in the address. */
const of = ({ phone, email }: Person, sent: TextMessage[]) => sent.filter(({ to }) => to === phone || to === email);
const bothOf = ({ phone, email }: Person) => [phone, email];

describe('a customer is told, at phone and e-mail address,', () => {
  it('that a partner linked their BVN, and of the first login there, once each', async () => {
    const ada = await newPerson();
    const partner = await link(ada.bvn);
    await server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers: partner.headers });
    const linked = of(ada, await sentNotices(server));
    expect(linked.map(({ to }) => to)).toEqual(bothOf(ada));
    expect(linked[0]?.text).toMatch(/^PayTag notice: Partner \d+ linked your PayTag ada\d+ by your BVN \(/);

    await logIn(server, partner, ada.paytag);
    await logIn(server, partner, ada.paytag);
    const loggedIn = of(ada, await sentNotices(server));
    expect(loggedIn.map(({ to }) => to)).toEqual(bothOf(ada));
    expect(loggedIn[1]).toMatchObject({
      subject: 'A first login with your PayTag',
      text: expect.stringMatching(/First login to PayTag ada\d+ at Partner \d+ \(.+\)\. If it was not you, reset/),
    });
  });

  it('of a password that was reset', async () => {
    const partner = await server.newPartner();
    const ada = await newCustomer(server, partner);
    await completeReset(server, partner, await validatedReset(server, partner, ada.paytag));
    const told = of(ada, await sentNotices(server));
    expect(told.map(({ to }) => to)).toEqual(bothOf(ada));
    expect(told[0]?.text).toMatch(/The password of PayTag ada\d+ was changed at Partner \d+/);
  });

  it('in a text message of one part or two', async () => {
    const ada = await newPerson();
    await link(ada.bvn);
    for (const { text } of await sentNotices(server)) expect(text.length).toBeLessThan(306);
  });
});

describe('a notice', () => {
  it('is not written when what it tells of is not', async () => {
    const ada = await newPerson();
    const { rows } = await server.owner.query<{ id: string }>(
      'select id from customers.customer order by id desc limit 1',
    );
    const undone = server.resources.transact(async (tx) => {
      const deed = { customerId: rows[0]?.id ?? '', partnerId: undefined, now: server.clock.now() };
      await tellCustomer(tx, server.resources, { ...deed, kind: 'PASSWORD_RESET' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(of(ada, await sentNotices(server))).toEqual([]);
  });

  it('is sent once by any number of workers, and its address is kept no longer', async () => {
    const ada = await newPerson();
    await link(ada.bvn);
    const sent = (await Promise.all(Array.from({ length: 6 }, () => sentNotices(server)))).flat();
    expect(of(ada, sent)).toHaveLength(2);
    const { rows } = await server.owner.query('select 1 from notices.notice where recipient_sealed is not null');
    expect(rows).toEqual([]);
  });

  it('is sent later where the provider is down, and by another worker where the first one died', async () => {
    const ada = await newPerson();
    await link(ada.bvn);
    await sentNotices(server, new MessagingProviderDown('down'));
    expect(of(ada, await sentNotices(server))).toEqual([]);
    server.clock.advance(MINUTE_MS);
    void sendNotices({ ...server.resources, texts: { sendText: () => new Promise(() => {}) } });
    const attempted = 'select 1 from notices.notice where due_at is not null and attempts = 2';
    while ((await server.owner.query(attempted)).rowCount !== 2);
    expect(of(ada, await sentNotices(server))).toEqual([]);
    server.clock.advance(2 * MINUTE_MS);
    expect(of(ada, await sentNotices(server))).toHaveLength(2);
  });

  it.each([
    ['may have left already', new MessagingProviderDown('no answer', { mayHaveSent: true })],
    ['has no mailbox to go to', new AddressRefused('nobody there')],
  ])('that %s is not sent again', async (_, failure) => {
    const ada = await newPerson();
    await link(ada.bvn);
    await sentNotices(server, failure);
    server.clock.advance(24 * 60 * MINUTE_MS);
    expect(of(ada, await sentNotices(server))).toEqual([]);
  });

  it('is given up after ten tries, and forgotten after 90 days', async () => {
    const ada = await newPerson();
    await link(ada.bvn);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await sentNotices(server, new MessagingProviderDown('down'));
      server.clock.advance(60 * MINUTE_MS);
    }
    expect(of(ada, await sentNotices(server))).toEqual([]);
    expect(server.logged).toContain('a notice to a customer could not be sent and is given up');
    server.clock.advance(91 * 24 * 60 * MINUTE_MS);
    await cleanUp(server.resources);
    expect((await server.owner.query('select 1 from notices.notice')).rows).toEqual([]);
  });
});
