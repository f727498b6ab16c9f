import { z } from 'zod';
import { kobo, nameText, sentWords } from '../http-client.ts';
import type { ReadHook } from './port.ts';

const chargeShape = z.object({
  reference: nameText(300),
  amount: kobo,
  currency: nameText(10),
  accountNumber: nameText(50).optional().catch(undefined),
  sender: z.object({ name: sentWords }).catch({}),
  narration: sentWords,
});

/** Parses the inbound transfers of the simulator, which only the sandbox triggers. */
export const readSimulator: ReadHook = (body) => {
  const charge = chargeShape.safeParse(parsed(body));
  const content = charge.success
    ? ({ kind: 'CHARGE', ...charge.data, accountNumber: charge.data.accountNumber, contradictsItself: false } as const)
    : ({ kind: 'UNREADABLE' } as const);
  return { event: 'charge.success', content };
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
