import { describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../../support/app.ts';
import { readEmv, readObjects, readQr } from '../../support/emv.ts';
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
import { refusalOf } from '../../support/refusals.ts';
import { type LoggedIn, loggedIn, logInAt, pay } from '../../support/wallets.ts';

const server = useSharedApp();

describe('GET /sso/beneficiary', () => {
  const beneficiariesOf = ({ headers }: LoggedIn, query = '') =>
    server.call('GET', `/v2/sso/beneficiary${query}`, { headers });
  const transfer = (from: LoggedIn, to: LoggedIn, reference: string) =>
    pay(server, from, { paytag: to.paytag, amount: 1, reference });
  const paytagsOf = async (customer: LoggedIn, query = '') =>
    (await beneficiariesOf(customer, query)).json<{ items: { paytag: string }[] }>().items.map(({ paytag }) => paytag);

  it('lists whom the customer has paid, those paid last first, each once', async () => {
    const partner = await server.newPartner({ float: 1000 });
    const ada = await loggedIn(server, partner, 100);
    const [bola, chidi] = [await loggedIn(server, partner), await loggedIn(server, partner)];
    expect((await beneficiariesOf(ada)).json()).toEqual({ items: [], count: 0, limit: 20, offset: 0 });
    for (const [payee, reference] of [
      [bola, 'a'],
      [chidi, 'b'],
      [bola, 'c'],
    ] as const) {
      expect((await transfer(ada, payee, reference)).statusCode).toBe(200);
    }
    const answer = await beneficiariesOf(ada);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      items: [
        { paytag: bola.paytag, name: 'Ada Obi', lastPaidAt: expect.any(String) },
        { paytag: chidi.paytag, name: 'Ada Obi', lastPaidAt: expect.any(String) },
      ],
      count: 2,
      limit: 20,
      offset: 0,
    });
    expect(await paytagsOf(ada, '?limit=1&offset=1')).toEqual([chidi.paytag]);
    expect(await paytagsOf(bola)).toEqual([]);
  });

  it('shows no partner the beneficiaries of another', async () => {
    const [home, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, home, 10);
    const bola = await loggedIn(server, home);
    await transfer(ada, bola, 'a');
    expect(await paytagsOf(await logInAt(server, other, ada))).toEqual([]);
    expect(await paytagsOf(ada)).toEqual([bola.paytag]);
  });

  it('does not list the receiver of a refused transfer', async () => {
    const partner = await server.newPartner();
    const [poor, bola] = [await loggedIn(server, partner), await loggedIn(server, partner)];
    expect((await transfer(poor, bola, 'a')).statusCode).toBe(422);
    expect(await paytagsOf(poor)).toEqual([]);
  });
});

describe('DELETE /sso/beneficiary', () => {
  const remove = ({ headers }: Pick<LoggedIn, 'headers'>, payload: object) =>
    server.call('DELETE', '/v2/sso/beneficiary', { headers, payload });
  const countOf = async ({ headers }: LoggedIn) =>
    (await server.call('GET', '/v2/sso/beneficiary', { headers })).json<{ count: number }>().count;

  async function adaWhoPaid() {
    const partner = await server.newPartner({ float: 100 });
    const [ada, bola] = [await loggedIn(server, partner, 10), await loggedIn(server, partner)];
    await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'a' });
    return { ada, bola };
  }

  it('answers true when one was removed, and false when there was none', async () => {
    const { ada, bola } = await adaWhoPaid();
    const removed = await remove(ada, { paytag: `@${bola.paytag.toUpperCase()}` });
    expect(removed.statusCode).toBe(200);
    expect(removed.headers['content-type']).toContain('application/json');
    expect(removed.body).toBe('true');
    expect(await countOf(ada)).toBe(0);
    for (const paytag of [bola.paytag, 'nobody.here', 'no such tag!']) {
      expect((await remove(ada, { paytag })).body).toBe('false');
    }
  });

  it('removes no one else’s, and a later transfer adds the beneficiary again', async () => {
    const { ada, bola } = await adaWhoPaid();
    expect((await remove(bola, { paytag: bola.paytag })).body).toBe('false');
    expect(await countOf(ada)).toBe(1);
    await remove(ada, { paytag: bola.paytag });
    await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'a' }); // a repeated reference pays no one
    expect(await countOf(ada)).toBe(0);
    await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'b' });
    expect(await countOf(ada)).toBe(1);
  });
});

describe('PUT /sso/contact', () => {
  const newCustomer = async () => loggedIn(server, await server.newPartner());

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

describe('GET /sso/qr', () => {
  const PUBLIC_URL = 'https://pay.example.com';
  const alone = useApp({ PUBLIC_URL });
  const qrOf = ({ headers }: Pick<LoggedIn, 'headers'>, accept?: string) =>
    alone.call('GET', '/v2/sso/qr', { headers: { ...headers, ...(accept === undefined ? {} : { accept }) } });

  it('a PNG in base64 whose code is the page of the PayTag, and that page opens', async () => {
    const ada = await loggedIn(alone, await alone.newPartner());
    const answer = await qrOf(ada);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' });
    expect(answer.body).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    const link = readQr(answer.body) ?? '';
    expect(link).toBe(`${PUBLIC_URL}/p/${ada.paytag}`);
    const opened = await alone.call('GET', link.slice(PUBLIC_URL.length));
    expect(opened.statusCode).toBe(200);
    expect(opened.body).toContain(`@${ada.paytag}`);
  });

  it('a JSON string for a client that accepts only JSON, plain text for any other', async () => {
    const ada = await loggedIn(alone, await alone.newPartner());
    const plain = (await qrOf(ada)).body;
    const json = [
      'application/json',
      'application/*;q=0.5',
      'Application/JSON, text/plain;q=0',
      'application/json, image/png',
    ];
    for (const accept of json) {
      const answer = await qrOf(ada, accept);
      expect(answer.headers).toMatchObject({ vary: 'Accept', 'content-type': 'application/json; charset=utf-8' });
      expect(answer.json()).toBe(plain);
    }
    const text = [
      '*/*',
      'text/plain',
      'application/json, text/plain, */*',
      'application/json;q=0, text/*',
      'image/png',
      '',
    ];
    for (const accept of text) {
      const answer = await qrOf(ada, accept);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(answer.body).toBe(plain);
    }
  });

  describe('with format=emv', () => {
    const scheme = useApp(
      { PUBLIC_URL, EMV_SCHEME_ID: 'ng.nqr.example', EMV_INSTITUTION_ID: '999058', EMV_CITY: 'Ibadan' },
      alone,
    );
    const emvOf = ({ headers }: LoggedIn, query = '', at = scheme) =>
      at.call('GET', `/v2/sso/qr?format=emv${query}`, { headers });

    it('200: the payload of the customer, for an amount if one is given', async () => {
      const ada = await loggedIn(alone, await alone.newPartner());
      const [any, one] = [await emvOf(ada), await emvOf(ada, '&amount=1500.5')];
      expect(any.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(readEmv(any.body)).toMatchObject({ '01': '11', 53: '566', 59: 'Ada Obi', 60: 'Ibadan' });
      expect(readObjects(readEmv(any.body)['26'] ?? '')).toEqual({
        '00': 'ng.nqr.example',
        '01': '999058',
        '02': ada.paytag,
      });
      expect(readEmv(one.body)).toMatchObject({ '01': '12', 54: '1500.50' });
      expect((await scheme.call('GET', '/v2/sso/qr?amount=', { headers: ada.headers })).body).toBe(
        (await qrOf(ada)).body,
      );
    });

    it('400: an amount that is none, or in a code that holds none, and a format that there is not', async () => {
      const ada = await loggedIn(alone, await alone.newPartner());
      const amounts = ['0', '-1', '1.005', '1e-3', '01', '10000000000', 'x', '1&amount=2'];
      for (const amount of amounts) expect((await emvOf(ada, `&amount=${amount}`)).statusCode).toBe(400);
      for (const query of ['?amount=5', '?format=png&amount=5', '?format=svg']) {
        expect((await scheme.call('GET', `/v2/sso/qr${query}`, { headers: ada.headers })).statusCode).toBe(400);
      }
    });

    it('404: where no scheme is configured', async () => {
      const answer = await emvOf(await loggedIn(alone, await alone.newPartner()), '', alone);
      expect(refusalOf(answer)).toEqual([404, 'EMV_QR_NOT_CONFIGURED']);
    });
  });
});
