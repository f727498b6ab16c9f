import { z } from 'zod';
import type { ReadHook } from './port.ts';

const chargeShape = z.object({
  reference: z.string(),
  amount: z.int().min(0).transform(BigInt),
  currency: z.string(),
  accountNumber: z.string(),
  sender: z.object({ name: z.string().optional() }),
  narration: z.string().optional(),
});

/** What the simulator of account numbers tells of a transfer, which nobody but the sandbox has it tell. */
export const readSimulator: ReadHook = (body) => ({
  event: 'charge.success',
  told: { kind: 'CHARGE', ...chargeShape.parse(JSON.parse(body)) },
});
