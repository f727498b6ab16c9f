import type { Answer, TestApp, TestPartner } from './app.ts';
import { newReference } from './wallets.ts';

let terminals = 0;

/** A new terminal of a partner, through the operator API. Resolves to its serial number. */
export async function newTerminal(server: TestApp, partner: TestPartner, given: object = {}): Promise<string> {
  const serialNumber = `SN-${++terminals}`;
  const answer = await server.operate('POST', '/terminals', { partnerId: partner.id, serialNumber, ...given });
  return answer.json<{ serialNumber: string }>().serialNumber;
}

/** A new split of a terminal, through the operator API. Resolves to its reference. */
export async function newSplit(server: TestApp, terminal: string, amount: number, given: object = {}): Promise<string> {
  const payload = { amount, title: 'Phone', ...given };
  return (await server.operate('POST', `/terminals/${terminal}/splits`, payload)).json<{ Reference: string }>()
    .Reference;
}

/** A payment at a terminal as the rails report it: an instalment when it names a split. */
export const payAt = (
  server: TestApp,
  terminal: string,
  given: { amount: number; reference?: string; split?: string; comment?: string; metadata?: object; sender?: object },
): Promise<Answer> =>
  server.operate('POST', '/transactions', {
    type: 'PARTNER_TERMINAL',
    terminal,
    reference: newReference(),
    sender: { name: 'Bola Ade' },
    ...given,
  });

/** A split as its partner sees it. */
export const seeSplit = async (server: TestApp, partner: TestPartner, terminal: string, split: string) =>
  (
    await server.call('GET', `/v2/partner/terminal/split/${split}`, {
      headers: { ...partner.headers, 'x-terminal': terminal },
    })
  ).json<{ Amount: number; TotalPaid: number; Remaining: number; Status: string }>();
