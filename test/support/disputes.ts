import type { Answer, TestApp, TestPartner } from './app.ts';
import { fundedWallet } from './wallets.ts';

const DAY_MS = 86_400_000;

/** So many days from now, by the server's clock. */
export const inDays = (server: TestApp, days: number): string =>
  new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();

/** `POST /operator/v1/disputes`, with a week to answer unless it is given something else. */
export const openDispute = (server: TestApp, partnerId: string, given: object = {}): Promise<Answer> =>
  server.operate('POST', '/disputes', {
    partnerId,
    transactionReference: 'opening',
    reason: 'the payer says it was not they',
    respondBy: inDays(server, 7),
    ...given,
  });

/** `POST /operator/v1/disputes/{id}/decide`. */
export const decideDispute = (server: TestApp, id: string, outcome: string): Promise<Answer> =>
  server.operate('POST', `/disputes/${id}/decide`, { outcome, reason: 'the papers say so' });

/** `POST /v2/partner/dispute/{id}/evidence`. */
export const answerDispute = (
  server: TestApp,
  { headers }: Pick<TestPartner, 'headers'>,
  id: string,
  payload: object = { text: 'Delivered, and signed for' },
): Promise<Answer> => server.call('POST', `/v2/partner/dispute/${id}/evidence`, { headers, payload });

export interface TestDispute {
  id: string;
  partner: TestPartner;
  wallet: string;
}

/** A wallet with 500 naira by one credit, of which 300 are disputed unless it is given something else. */
export async function newDispute(server: TestApp, given: object = {}): Promise<TestDispute> {
  const { partner, wallet } = await fundedWallet(server, 500);
  const opened = await openDispute(server, partner.id, { amount: 300, ...given });
  if (opened.statusCode !== 201) throw new Error(opened.body);
  return { id: opened.json<{ id: string }>().id, partner, wallet };
}

/** What an operator sees of a dispute. */
export const disputeNow = async (server: TestApp, id: string) =>
  (await server.operate('GET', `/disputes/${id}`)).json();

/** What an operator sees of a wallet. */
export const walletNow = async (server: TestApp, wallet: string) =>
  (await server.operate('GET', `/wallets/${wallet}`)).json();
