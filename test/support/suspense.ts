import { systemAccount } from '#modules/ledger';
import type { Answer, TestApp, TestPartner } from './app.ts';
import { newReference, newWallet, paymentsOf } from './payments.ts';
import { postingBetween } from './posting-between.ts';
import { changeWallet } from './wallets.ts';

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
