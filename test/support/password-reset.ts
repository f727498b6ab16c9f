import type { Answer, TestApp, TestPartner } from './app.ts';
import { OTP } from './onboarding.ts';

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
