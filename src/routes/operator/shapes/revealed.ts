import { z } from 'zod';
import { revealable } from '#modules/accounts';
import { optional } from '#wire/text.ts';

/** What of a customer is to be revealed. */
export const revealedFields = optional(z.array(z.enum(revealable)).max(revealable.length)).meta({
  description: 'Absent or empty: all',
});

/** What is on record of a customer, in the clear. */
export const revealedShape = z.object({
  id: z.uuid(),
  bvn: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  dateOfBirth: z.string().optional().meta({ example: '1990-05-17' }),
  address: z.string().optional(),
});
