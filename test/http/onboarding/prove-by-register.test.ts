import { describe, expect, it } from 'vitest';
import { findCustomer } from '#modules/customers';
import { proveByRegister } from '../../../src/modules/onboarding/prove-by-register.ts';
import type { BvnClaim } from '../../../src/providers/bvn/port.ts';
import { useApp } from '../../support/app.ts';
import { actOn, customerIdOf, handedBack, sentNotices } from '../../support/customers.ts';
import {
  complete,
  completeReset,
  confirmedChange,
  createPayTag,
  logIn,
  NEW_PASSWORD,
  newCustomer,
  newPerson,
  startReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { madeBeforeContacts } from '../../support/past-months.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useApp();
const REGISTERED = '+234********01';
newPerson(); // whose phone looks like the register's when it is masked

/** Makes the newest customer one from before contacts were compared, with these on record. */
async function madeOfBefore(contacts: { phone?: string; email?: string }): Promise<void> {
  const { rows } = await server.owner.query<{ id: string }>(
    'select id from customers.customer order by created_at desc limit 1',
  );
  await madeBeforeContacts(server, rows[0]?.id ?? '', contacts);
}

async function recipientsOfReset(partner: Awaited<ReturnType<typeof server.newPartner>>, paytag: string) {
  const { headers } = partner;
  const { session } = (await startReset(server, partner, paytag)).json<{ session: string }>();
  const send = async (channel: string) => server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers });
  return { session, sms: (await send('sms')).json().recipients, email: (await send('email')).json().recipients };
}

describe('a customer from before phones were compared, who forgot the password,', () => {
  it('is sent the code to the phone on record, if the register holds it', async () => {
    const partner = await server.newPartner();
    const ada = await newCustomer(server, partner);
    await madeOfBefore({ email: 'ada@unregistered.example' });
    const { sms, email } = await recipientsOfReset(partner, ada.paytag);
    expect(sms).toEqual([`+234********${ada.phone.slice(-2)}`]);
    expect(email).toBeUndefined();
  });

  it('is sent it to the register’s phone otherwise, which takes the place of the one on record', async () => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const ada = await newCustomer(server, partner);
    await madeOfBefore({ phone: '+2348099990000' });
    const { session, sms } = await recipientsOfReset(partner, ada.paytag);
    expect(sms).toEqual([REGISTERED]);
    await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: '123456' } });
    expect((await completeReset(server, partner, session)).statusCode).toBe(200);
    expect((await logIn(server, partner, ada.paytag, NEW_PASSWORD)).statusCode).toBe(200);
    expect((await recipientsOfReset(partner, ada.paytag)).sms).toEqual([REGISTERED]);
  });
});

it('a customer from before phones were compared is told at the register’s phone when somebody changes a contact', async () => {
  const ada = await loggedIn(server, await server.newPartner());
  await madeOfBefore({ phone: '+2348099990000' });
  await sentNotices(server);
  await confirmedChange(server, ada, { phone: '+2348099990091' });
  const told = await sentNotices(server);
  expect(told.map(({ to }) => to)).toEqual(['+2348030000001', ada.email]);
  expect(told[0]?.text).toContain(`PayTag ${ada.paytag} gets the phone`);
});

it('a customer whom a partner made before, with a phone that is not the register’s, sets the password by the register’s', async () => {
  const partner = await server.newPartner();
  const person = newPerson();
  await createPayTag(server, partner, person);
  await madeOfBefore({ phone: '+2348099990000' });
  const { phone: _, ...given } = person;
  const session = await validatedSession(server, partner, given);
  const completed = await complete(server, partner, session, { paytag: person.paytag });
  expect(completed.json()).toMatchObject({ Phone: '+2348030000001' });
});

it('about a customer whose BVN was handed back the register is not asked, also by a reset that began before', async () => {
  const { db, keyring, clock, transact } = server.resources;
  const ada = await newCustomer(server, await server.newPartner());
  const id = await customerIdOf(server, ada.paytag);
  await madeBeforeContacts(server, id, {});
  const seen = await findCustomer(db, keyring, id);
  await actOn(server, id, 'freeze');
  const asked: BvnClaim[] = [];
  const handBackAsItAnswers = async (claim: BvnClaim) => {
    asked.push(claim);
    await handedBack(server, id);
    return { outcome: 'verified', phone: ada.phone, holdsEmail: true, holdsOtherName: true } as const;
  };
  const bvn = { comparesPhones: true, verify: handBackAsItAnswers };
  for (let turn = 0; turn < 2; turn++) {
    if (seen !== undefined) await proveByRegister({ db, keyring, clock, transact, bvn }, seen);
  }
  expect(asked.map((claim) => claim.bvn)).toEqual([ada.bvn]);
  expect((await findCustomer(db, keyring, id))?.proven).toEqual({ phone: undefined, email: undefined });
});
