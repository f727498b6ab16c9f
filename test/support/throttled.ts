import type { TestApp, TestPartner } from './app.ts';
import { newCustomer } from './onboarding.ts';

/** What a limit refuses, as the operator lists it. */
export interface ListedThrottle {
  id: string;
  name: string;
  about: string[];
  spent: number;
  until: string;
}

/** Limits that refuse, as the operator lists them. */
export const throttlesOf = async (server: TestApp, query: string): Promise<ListedThrottle[]> =>
  (await server.operate('GET', `/throttles?${query}`)).json<{ items: ListedThrottle[] }>().items;

/** A customer with whose PayTag so many wrong passwords were tried at a partner that no right one is taken. */
export async function throttledLogin(
  server: TestApp,
): Promise<{ partner: TestPartner; paytag: string; throttle: ListedThrottle }> {
  const partner = await server.newPartner();
  const { paytag } = await newCustomer(server, partner);
  const payload = { paytag, password: 'guessed-wrong' };
  for (let guess = 0; guess < 5; guess += 1) {
    await server.call('POST', '/v2/sso/auth-code', { headers: partner.headers, payload });
  }
  const [throttle] = await throttlesOf(server, `about=${partner.id}`);
  if (throttle === undefined) throw new Error('no limit refuses');
  return { partner, paytag, throttle };
}
