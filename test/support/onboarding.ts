import type { Answer, TestApp, TestPartner } from './app.ts';

export const PASSWORD = 'Kilimanjaro-77';
/** What the simulated messenger always sends. */
export const OTP = '123456';

let people = 0;

/** Somebody whom nobody else in this test file is: a BVN, a phone and a handle of her own. */
export function newPerson() {
  const number = String(++people).padStart(4, '0');
  return {
    bvn: `2221234${number}`,
    phone: `+234803123${number}`,
    email: `ada${number}@example.com`,
    paytag: `ada${number}`,
    firstName: 'Ada',
    lastName: 'Obi',
    dateOfBirth: '1990-05-17',
  };
}
export type Person = ReturnType<typeof newPerson>;

/** `POST /partner/paytag`: a customer without a password. */
export function createPayTag(server: TestApp, partner: TestPartner, { paytag, ...person }: Person): Promise<Answer> {
  return server.call('POST', '/v2/partner/paytag', { headers: partner.headers, payload: { ...person, tag: paytag } });
}

/** A server whose text messages go nowhere: nobody listens on this port. */
export const unreachableMessenger = {
  MESSAGING_PROVIDER: 'termii',
  MESSAGING_TERMII_URL: 'http://127.0.0.1:9',
  MESSAGING_TERMII_API_KEY: 'not-needed',
  MESSAGING_TERMII_SENDER_ID: 'PayTag',
};

/** `POST /sso/create-tag`, as far as a session. */
export async function startSession(server: TestApp, partner: TestPartner, person: object): Promise<string> {
  const answer = await server.call('POST', '/v2/sso/create-tag', { headers: partner.headers, payload: person });
  return answer.json<{ session: string }>().session;
}

/** A session in which the code was sent and validated. */
export async function validatedSession(server: TestApp, partner: TestPartner, person: object): Promise<string> {
  const session = await startSession(server, partner, person);
  const { headers } = partner;
  await server.call('GET', `/v2/sso/${session}/otp`, { headers });
  await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: OTP } });
  return session;
}

/** `POST /sso/create-tag/{session}/complete`. */
export function complete(
  server: TestApp,
  { headers }: TestPartner,
  session: string,
  payload: { paytag: string; password?: string; email?: string; imageUrl?: string },
): Promise<Answer> {
  return server.call('POST', `/v2/sso/create-tag/${session}/complete`, {
    headers,
    payload: { password: PASSWORD, ...payload },
  });
}

/** A new customer with a password, made by onboarding. */
export async function newCustomer(server: TestApp, partner: TestPartner, person = newPerson()): Promise<Person> {
  const session = await validatedSession(server, partner, person);
  await complete(server, partner, session, { paytag: person.paytag });
  return person;
}

/** `POST /sso/auth-code`. */
export function logIn(
  server: TestApp,
  { headers }: TestPartner,
  paytag: string,
  password: string = PASSWORD,
): Promise<Answer> {
  return server.call('POST', '/v2/sso/auth-code?scope=profile', { headers, payload: { paytag, password } });
}

/** The authorization code of a login. */
export async function authCode(server: TestApp, partner: TestPartner, paytag: string): Promise<string> {
  const redirect = new URL((await logIn(server, partner, paytag)).body);
  return redirect.searchParams.get('auth-code') ?? '';
}

/** `GET /sso/token`. */
export function exchange(server: TestApp, { headers }: TestPartner, code: string): Promise<Answer> {
  return server.call('GET', `/v2/sso/token?auth-code=${encodeURIComponent(code)}`, { headers });
}

/** The token of a login, from password to JWT. */
export async function customerToken(server: TestApp, partner: TestPartner, paytag: string): Promise<string> {
  return (await exchange(server, partner, await authCode(server, partner, paytag))).body;
}

export const NEW_PASSWORD = 'Zuma-Rock-at-noon-9';

/** `POST /sso/password`. */
export const startReset = (server: TestApp, { headers }: TestPartner, paytag: string): Promise<Answer> =>
  server.call('POST', '/v2/sso/password', { headers, payload: { paytag } });

/** A reset in which the code was sent and validated. */
export async function validatedReset(server: TestApp, partner: TestPartner, paytag: string): Promise<string> {
  const { session } = (await startReset(server, partner, paytag)).json<{ session: string }>();
  const { headers } = partner;
  await server.call('GET', `/v2/sso/${session}/otp`, { headers });
  await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: OTP } });
  return session;
}

/** `POST /sso/password/{session}/complete`. */
export const completeReset = (
  server: TestApp,
  { headers }: TestPartner,
  session: string,
  password: string = NEW_PASSWORD,
): Promise<Answer> => server.call('POST', `/v2/sso/password/${session}/complete`, { headers, payload: { password } });

/** Whoever has a customer's token. */
interface Holder {
  headers: Record<string, string>;
}

/** `PUT /sso/contact`. */
export const startChange = (server: TestApp, { headers }: Holder, payload: object): Promise<Answer> =>
  server.call('PUT', '/v2/sso/contact', { headers, payload });

/** `POST /sso/{session}/otp`, with the code. */
export const giveCode = (
  server: TestApp,
  { headers }: Pick<TestPartner, 'headers'>,
  session: string,
): Promise<Answer> => server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: OTP } });

/** A change whose code came back. */
export async function confirmedChange(
  server: TestApp,
  customer: Holder & { partner: TestPartner },
  payload: object,
): Promise<void> {
  const { session } = (await startChange(server, customer, payload)).json<{ session: string }>();
  const given = await giveCode(server, customer.partner, session);
  if (given.statusCode !== 200) throw new Error(`the change was not confirmed: ${given.body}`);
}

/** `GET /sso/contact`. */
export const contactsOf = async (server: TestApp, { headers }: Holder) =>
  (await server.call('GET', '/v2/sso/contact', { headers })).json();

/** `DELETE /sso/contact`. */
export const cancelChange = async (server: TestApp, { headers }: Holder): Promise<boolean> =>
  (await server.call('DELETE', '/v2/sso/contact', { headers })).json();

/**
 * True when a text shows these few digits as something of their own. A clock, a measured time or an id may have the same
 * ones in a row by chance, between others.
 */
export const showsCode = (text: string, code: string): boolean =>
  new RegExp(`(?<![\\w.-])${code}(?![\\w-]|\\.\\d)`).test(text);
