import { z } from 'zod';
import { kobo, nameText, shownText } from '../said-text.ts';
import type { ReadHook } from './port.ts';

const words = z
  .string()
  .transform((text) => shownText(text, 500))
  .optional();
const chargeShape = z.object({
  reference: nameText(300),
  amount: kobo,
  currency: nameText(10),
  accountNumber: nameText(50),
  sender: z.object({ name: words }),
  narration: words,
});

/** What the simulator of account numbers tells of a transfer, which nobody but the sandbox has it tell. */
export const readSimulator: ReadHook = (body) => {
  const charge = chargeShape.safeParse(parsed(body));
  const told = charge.success ? ({ kind: 'CHARGE', ...charge.data } as const) : ({ kind: 'UNREADABLE' } as const);
  return { event: 'charge.success', told };
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
