import type { Answer, TestApp, TestPartner } from './app.ts';
import { customerToken, newCustomer, type Person } from './onboarding.ts';

/** A wallet of a KYC profile. Resolves to its reference. */
export async function kycWallet(server: TestApp, { headers }: TestPartner, currency = 'NGN'): Promise<string> {
  const payload = { kyc: { firstName: 'Chidi', lastName: 'Okafor' }, currency };
  return (await server.call('POST', '/v2/partner/wallet', { headers, payload })).json().Reference;
}

/** `POST /partner/wallet/{reference}/credit` or `/debit`. */
export const moveMoney = (
  server: TestApp,
  { headers }: TestPartner,
  wallet: string,
  move: 'credit' | 'debit',
  payload: object,
): Promise<Answer> => server.call('POST', `/v2/partner/wallet/${wallet}/${move}`, { headers, payload });

/** A partner with one wallet, in which `naira` are, by the transaction `opening`. */
export async function fundedWallet(server: TestApp, naira: number): Promise<{ partner: TestPartner; wallet: string }> {
  const partner = await server.newPartner({ float: naira });
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: naira, reference: 'opening' });
  return { partner, wallet };
}

/** `POST /partner/transaction/{reference}/refund`. */
export const refund = (
  server: TestApp,
  { headers }: TestPartner,
  original: string,
  payload: object | string,
): Promise<Answer> =>
  server.call('POST', `/v2/partner/transaction/${encodeURIComponent(original)}/refund`, {
    headers: { ...headers, 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

/** `PATCH /operator/v1/wallets/{reference}`. */
export const changeWallet = (server: TestApp, wallet: string, change: object): Promise<Answer> =>
  server.operate('PATCH', `/wallets/${wallet}`, { reason: 'a test asks for it', ...change });

/** Revokes a wallet under the token of its customer, as one who asks at the same moment meets it. */
export const revokeWallet = (server: TestApp, wallet: string) =>
  server.owner.query('update wallets.partner_wallet set revoked_at = now() where reference = $1', [wallet]);

/** A customer who is logged in at a partner, where she has a wallet. */
export interface LoggedIn extends Person {
  partner: TestPartner;
  /** Credentials of the partner and her token. */
  headers: Record<string, string>;
  /** Her wallet's reference there. */
  wallet: string;
}

/** A new customer with `naira` in her wallet at this partner, whose float pays it. */
export async function loggedIn(server: TestApp, partner: TestPartner, naira = 0): Promise<LoggedIn> {
  return logInAt(server, partner, await newCustomer(server, partner), naira);
}

/** A customer who exists already, at a partner. */
export async function logInAt(server: TestApp, partner: TestPartner, person: Person, naira = 0): Promise<LoggedIn> {
  const token = await customerToken(server, partner, person.paytag);
  const linked = await server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: partner.headers });
  const { Reference: wallet } = linked.json<{ Reference: string }>();
  const reference = `for-${wallet}`;
  if (naira > 0) await moveMoney(server, partner, wallet, 'credit', { amount: naira, reference });
  return { ...person, partner, wallet, headers: { ...partner.headers, authorization: `Bearer ${token}` } };
}

/** `POST /sso/transaction`. */
export const pay = (server: TestApp, { headers }: LoggedIn, payload: object | string): Promise<Answer> =>
  server.call('POST', '/v2/sso/transaction', {
    headers: { ...headers, 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
