import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/clients';
import { findCustomer } from '#modules/customers';
import { proveByRegister } from '../../../src/modules/accounts/verify-bvn.ts';
import type { BvnClaim } from '../../../src/providers/bvn/port.ts';
import { useApp, useSharedApp } from '../../support/app.ts';
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
  PASSWORD,
  startReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { madeBeforeContacts } from '../../support/other-times.ts';
import { refusalOf } from '../../support/refusals.ts';
import { vouchRows } from '../../support/sealed.ts';
import { loggedIn } from '../../support/wallets.ts';

describe('creating a PayTag', () => {
  const server = useApp();
  const counts = async () => {
    const { rows } = await server.owner.query(
      `select (select count(*) from customers.customer)::int as customers, (select count(*) from tags.tag)::int as tags,
            (select count(*) from applications.subject)::int as subjects,
            (select count(*) from wallets.partner_wallet)::int as wallets`,
    );
    return rows[0];
  };

  describe('a PayTag that a partner creates', () => {
    it('comes with customer, subject and wallet, or with none of them', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      const before = await counts();
      expect((await createPayTag(server, partner, person)).statusCode).toBe(200);
      const after = await counts();
      for (const table of Object.keys(before)) expect(after[table]).toBe(before[table] + 1);

      const sameBvn = await createPayTag(server, partner, { ...newPerson(), bvn: person.bvn });
      expect(refusalOf(sameBvn)).toEqual([409, 'BVN_ALREADY_REGISTERED']);
      const sameTag = await createPayTag(server, partner, { ...newPerson(), paytag: person.paytag });
      expect(sameTag.json()).toMatchObject({ errorCode: 'PAYTAG_TAKEN' });
      expect(await counts()).toEqual(after);
    });

    it('goes to one of ten who ask for it at once', async () => {
      const partner = await server.newPartner();
      const attempts = Array.from({ length: 10 }, () =>
        createPayTag(server, partner, { ...newPerson(), paytag: 'wanted' }),
      );
      const codes = (await Promise.all(attempts)).map((answer) => answer.statusCode);
      expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    });

    it('is made once for a BVN that is given ten times at once', async () => {
      const partner = await server.newPartner();
      const { bvn } = newPerson();
      const attempts = Array.from({ length: 10 }, () => createPayTag(server, partner, { ...newPerson(), bvn }));
      const codes = (await Promise.all(attempts)).map((answer) => answer.statusCode);
      expect(codes.filter((code) => code === 200)).toHaveLength(1);
    });
  });

  describe('a PayTag that is linked by its BVN', () => {
    it('gives a partner one wallet, however often and however many at once it asks', async () => {
      const [maker, partner] = [await server.newPartner(), await server.newPartner()];
      const person = newPerson();
      const made = (await createPayTag(server, maker, person)).json<{ Reference: string }>();
      const link = () => server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: partner.headers });
      const answers = await Promise.all(Array.from({ length: 10 }, link));
      const references = answers.map((answer) => answer.json<{ Reference: string }>().Reference);
      expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
      expect(new Set(references).size).toBe(1);
      expect(references[0]).not.toBe(made.Reference);
    });
  });
});

describe('completing it', () => {
  const server = useSharedApp();
  const codeOf = (answer: { json<T>(): T }) => answer.json<{ errorCode: string }>().errorCode;

  describe('the completion of a creation', () => {
    it('completes a session exactly once when ten requests come at once', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      const session = await validatedSession(server, partner, person);
      const attempts = Array.from({ length: 10 }, () => complete(server, partner, session, { paytag: person.paytag }));
      const answers = await Promise.all(attempts);
      expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
      const others = answers.filter((answer) => answer.statusCode !== 200);
      expect(new Set(others.map(codeOf))).toEqual(new Set(['SESSION_COMPLETED']));
    });

    it('gives one PayTag to one of two sessions that ask for it at once', async () => {
      const partner = await server.newPartner();
      const [one, two] = await Promise.all(
        [newPerson(), newPerson()].map((person) => validatedSession(server, partner, person)),
      );
      const answers = await Promise.all(
        [one, two].map((session = '') => complete(server, partner, session, { paytag: 'wanted.by.two' })),
      );
      expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    });

    it('sets one password for one BVN, of two sessions completed at once', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      await createPayTag(server, partner, person);
      const sessions = [
        await validatedSession(server, partner, person),
        await validatedSession(server, partner, person),
      ];
      const passwords = [PASSWORD, 'Zuma-Rock-1979'];
      const answers = await Promise.all(
        sessions.map((session, index) =>
          complete(server, partner, session, { paytag: person.paytag, password: passwords[index] ?? '' }),
        ),
      );
      expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const winner = answers.findIndex((answer) => answer.statusCode === 200);
      expect((await logIn(server, partner, person.paytag, passwords[winner])).statusCode).toBe(200);
      expect((await logIn(server, partner, person.paytag, passwords[1 - winner])).statusCode).toBe(401);
    });

    it('makes no second customer when a partner created the first while the session was open', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      const session = await validatedSession(server, partner, { ...person, phone: '+2348039999999' });
      await createPayTag(server, partner, person);
      expect(refusalOf(await complete(server, partner, session, { paytag: 'somebody.else' }))).toEqual([
        409,
        'BVN_ALREADY_REGISTERED',
      ]);
      const verified = await server.call('GET', '/v2/sso/verify-tag?paytag=somebody.else', {
        headers: partner.headers,
      });
      expect(verified.json()).toMatchObject({ available: true });
    });
  });
});

describe('other names', () => {
  const server = useApp();
  const named = (otherName: string) => ({ ...newPerson(), otherName });
  const shownAt = async (paytag: string) =>
    (await server.call('GET', `/api/v1/tags/${paytag}`)).json().data.canonicalOwner.displayName;

  describe('another name', () => {
    it.each([
      ['that the register holds is shown in the name', 'Ngozi', 'Ada Ngozi Obi'],
      ['that it does not is kept, and shown to nobody', 'Unregistered', 'Ada Obi'],
      ['of another width is shown as ordinary letters', 'Ｎｇｏｚｉ', 'Ada Ngozi Obi'],
      ['keeps its accents, apostrophe and hyphen', 'Ńgọ́zi O’Neil-Ọbi', 'Ada Ńgọ́zi O’Neil-Ọbi Obi'.normalize('NFC')],
    ])('%s', async (_, otherName, shown) => {
      const partner = await server.newPartner();
      const byPartner = named(otherName);
      const created = (await createPayTag(server, partner, byPartner)).json();
      expect([created.PayTag.Name, created.Wallet.Name]).toEqual([shown, shown]);
      expect(await shownAt(byPartner.paytag)).toBe(shown);

      const themselves = named(otherName);
      const session = await validatedSession(server, partner, themselves);
      const { Name } = (await complete(server, partner, session, { paytag: themselves.paytag })).json();
      expect([Name, await shownAt(themselves.paytag)]).toEqual([shown, shown]);

      const { rows } = await server.owner.query<{ kept: string }>(
        'select other_name as kept from customers.customer order by created_at desc limit 2',
      );
      expect(new Set(rows.map(({ kept }) => kept))).toEqual(new Set([otherName.normalize('NFKC')]));
    });

    it('of a customer from before is shown once the register, asked for their contacts, confirms it', async () => {
      const partner = await server.newPartner();
      const ada = named('Ngozi');
      await createPayTag(server, partner, ada);
      const session = await validatedSession(server, partner, ada);
      await complete(server, partner, session, { paytag: ada.paytag });
      await server.owner.query(
        `with c as (update customers.customer set phone_proven_at = null, is_other_name_confirmed = false, routing_mac = '\\x00'
                    where id = (select id from customers.customer order by created_at desc limit 1) returning id)
       update applications.subject set display_name = 'Ada Obi' from c where application_id = $1 and external_id = c.id::text`,
        [payTagApplicationId],
      );
      await vouchRows(server.owner, server.resources.keyring);
      expect(await shownAt(ada.paytag)).toBe('Ada Obi');
      const { session: reset } = (await startReset(server, partner, ada.paytag)).json<{ session: string }>();
      await server.call('GET', `/v2/sso/${reset}/otp?channel=sms`, { headers: partner.headers });
      expect(await shownAt(ada.paytag)).toBe('Ada Ngozi Obi');
    });
  });
});

describe('proving by the register', () => {
  const server = useApp();
  const REGISTERED = '+234********01';
  newPerson();

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
    const send = async (channel: string) =>
      server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers });
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
});
