import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import {
  complete,
  confirmedChange,
  contactsOf,
  customerToken,
  giveCode,
  newPerson,
  startChange,
  validatedSession,
} from '../../support/onboarding.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useSharedApp();
const newCustomer = async () => loggedIn(server, await server.newPartner());

describe('200', () => {
  it('sends a code to the new contact, shows it masked, and changes nothing yet', async () => {
    const ada = await newCustomer();
    const answer = await startChange(server, ada, { email: 'new@example.com' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      session: expect.stringMatching(/^[\w-]{43}$/),
      status: 'STARTED',
      channels: ['email'],
      recipients: ['n***@example.com'],
      validated: false,
      expiresAt: expect.any(String),
    });
    expect(await contactsOf(server, ada)).toEqual({
      phone: ada.phone,
      phoneProven: true,
      email: ada.email,
      emailProven: true,
      changes: [],
    });
  });

  it('is in force in the sandbox as soon as the code is given, and stands in the PayTag', async () => {
    const ada = await newCustomer();
    const phone = (await startChange(server, ada, { phone: '0803 765 0042' })).json();
    const email = (await startChange(server, ada, { email: 'new@unregistered.example' })).json();
    for (const { session } of [phone, email]) {
      expect((await giveCode(server, ada.partner, session)).statusCode).toBe(200);
    }
    expect(await contactsOf(server, ada)).toEqual({
      phone: '+2348037650042',
      phoneProven: true,
      email: 'new@unregistered.example',
      emailProven: true,
      changes: [],
    });
    const wallet = await server.call('GET', '/v2/sso/wallet', { headers: ada.headers });
    expect(wallet.json().PayTag).toMatchObject({ Phone: '+2348037650042', Email: 'new@unregistered.example' });
  });

  it('proves an e-mail address that is on record and was not proven', async () => {
    const partner = await server.newPartner();
    const { email: _, ...person } = newPerson();
    const email = 'ada@unregistered.example';
    await complete(server, partner, await validatedSession(server, partner, person), { paytag: person.paytag, email });
    const authorization = `Bearer ${await customerToken(server, partner, person.paytag)}`;
    const ada = { partner, headers: { ...partner.headers, authorization } };
    expect(await contactsOf(server, ada)).toMatchObject({ email, emailProven: false });
    await confirmedChange(server, ada, { email });
    expect(await contactsOf(server, ada)).toMatchObject({ email, emailProven: true });
  });

  it('takes a code once', async () => {
    const ada = await newCustomer();
    const { session } = (await startChange(server, ada, { email: 'new@example.com' })).json();
    expect((await giveCode(server, ada.partner, session)).json()).toMatchObject({ validated: true, provider: 'email' });
    expect((await giveCode(server, ada.partner, session)).json()).toMatchObject({ errorCode: 'OTP_ALREADY_VALIDATED' });
  });
});
