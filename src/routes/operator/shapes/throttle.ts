import { z } from 'zod';
import { type Closed, idsOf } from '#modules/limits';
import { momentOut } from '#wire/moment.ts';

export const throttleId = z
  .string()
  .regex(/^[\da-f]{64}$/, 'must be the id of a limit, as the list has it')
  .meta({ description: 'Says nothing of what is counted', example: 'a3'.repeat(32) });

/** What a limit refuses. Of whom it is no more than ids: what else it is counted by, as an address, is kept as a digest. */
export const throttleShape = z.object({
  id: throttleId,
  name: z.string().meta({ description: 'What is counted', example: 'logins' }),
  about: z.array(z.string()).meta({
    description: 'Ids of partners, applications, customers or operators that it is of',
    example: ['01997a3c-5d1e-7b3f-8a2c-4e6f8091a2b3'],
  }),
  spent: z.int().meta({ description: 'How much was counted' }),
  until: momentOut.meta({ description: 'Until then it refuses' }),
});

/** The same as an answer. */
export const toThrottle = (closed: Closed): z.input<typeof throttleShape> => ({
  id: closed.id,
  name: closed.name,
  about: idsOf(closed),
  spent: closed.spent,
  until: closed.until.toISOString(),
});
