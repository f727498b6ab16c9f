import type { Answer, TestApp, TestPartner } from './app.ts';
import { OTP } from './onboarding.ts';

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
