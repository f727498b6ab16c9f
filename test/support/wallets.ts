import { systemAccount } from '#modules/ledger';
import type { Answer, TestApp, TestPartner } from './app.ts';
import { customerToken, newCustomer, type Person } from './onboarding.ts';
import { postingBetween } from './post.ts';

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

let references = 0;

/** A reference nobody else of this file has. */
export const newReference = (): string => `ref-${++references}`;

/** Payments as the rails report them through the operator API, each under a new reference unless it is given one. */
export function paymentsOf(server: TestApp) {
  const report = (body: object): Promise<Answer> =>
    server.operate('POST', '/transactions', {
      reference: newReference(),
      sender: { name: 'Bola Ade', paytag: 'bola', type: 'CARD' },
      ...body,
    });
  return {
    report,
    gateway: ({ id: partnerId }: TestPartner, given: object = {}) =>
      report({ type: 'PARTNER_GATEWAY', partnerId, amount: 1000, ...given }),
    atTerminal: (terminal: string, given: object = {}) =>
      report({ type: 'PARTNER_TERMINAL', terminal, amount: 1000, ...given }),
    inbound: (nuban: string, given: object = {}) => report({ type: 'INBOUND', nuban, amount: 1000, ...given }),
  };
}

/** A new KYC wallet of a partner. */
export async function newWallet(server: TestApp, { headers }: TestPartner, currency = 'NGN') {
  const payload = { kyc: { firstName: 'Chidi', lastName: 'Okafor' }, currency };
  const opened = await server.call('POST', '/v2/partner/wallet', { headers, payload });
  const { Reference, Wallet } = opened.json<{ Reference: string; Wallet: { Nuban: string } }>();
  return { reference: Reference, nuban: Wallet.Nuban };
}

/** What stands in the naira account of a wallet (its reference) or a float (its partner's id), and of how many entries. */
export async function bookOf(server: TestApp, kind: 'WALLET' | 'FLOAT', reference: string) {
  const { rows } = await server.owner.query<{ posted: string; version: string }>(
    `select posted, version from ledger.account where kind = $1 and reference = $2 and currency = 'NGN'`,
    [kind, reference],
  );
  return { kobo: Number(rows[0]?.posted), entries: Number(rows[0]?.version) };
}

/** Of each transaction of a partner: its reference and what became of it, or why it waits. */
export async function transactionsOf(server: TestApp, partner: TestPartner): Promise<Record<string, string>> {
  const { rows } = await server.owner.query<{ reference: string; outcome: string }>(
    `select reference, coalesce(code, case status when 'Pending' then pending_reason else status end) as outcome from ledger.transaction where owner_id = $1`,
    [partner.id],
  );
  return Object.fromEntries(rows.map(({ reference, outcome }) => [reference, outcome]));
}

/** The bodies of a partner's transaction.status events, the oldest first. */
export async function statusEvents(server: TestApp, partner: TestPartner): Promise<string[]> {
  const { rows } = await server.owner.query<{ body: string }>(
    `select e.body from outbox.event e join outbox.receiver r on r.id = e.receiver_id
       where r.owner_id = $1 and e.event = 'transaction.status' order by e.id`,
    [partner.id],
  );
  return rows.map(({ body }) => body);
}

/** An inbound payment that waits for a wallet that takes nothing in, and that wallet. */
export async function waitingPayment(server: TestApp, partner: TestPartner, amount = 100) {
  const wallet = await newWallet(server, partner);
  await changeWallet(server, wallet.reference, { status: 'PNC' });
  const sent = await paymentsOf(server).inbound(wallet.nuban, { amount, reference: `${newReference()}-${partner.id}` });
  const { ID: id, Reference: reference } = sent.json<{ ID: number; Reference: string }>();
  return { id, reference, wallet, partner };
}

/** `POST /operator/v1/suspense/{id}/resolve`. */
export const resolve = (server: TestApp, id: number | string, body: object): Promise<Answer> =>
  server.operate('POST', `/suspense/${id}/resolve`, { reason: 'they called', ...body });

/** `POST /operator/v1/transactions/{reference}/reverse`. */
export const reverse = (server: TestApp, original: string, body: object): Promise<Answer> =>
  server.operate('POST', `/transactions/${encodeURIComponent(original)}/reverse`, { reason: 'a mistake', ...body });

/** Books `kobo` as fees that we have earned. */
export async function earn(server: TestApp, kobo: bigint): Promise<void> {
  const [from, to] = [systemAccount('CLEARING', 'NGN'), systemAccount('FEE', 'NGN')];
  const names = { owner: crypto.randomUUID(), reference: newReference() };
  await server.resources.poster.post(postingBetween(from, to, kobo, names));
}
