import { systemAccount } from '#modules/ledger';
import type { Answer, TestApp, TestPartner } from './app.ts';
import { postingBetween } from './post.ts';
import { changeWallet } from './wallets.ts';

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
