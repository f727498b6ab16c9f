import { z } from 'zod';
import type { RotatedClientSecret } from '#modules/clients';
import { handoverShape, toHandover } from './handover.ts';
import { momentOut } from './moment.ts';

export const immediately = z
  .boolean()
  .default(false)
  .meta({ description: 'The secret so far stops at once, instead of being taken beside the new one for a day' });

/** The new secret is in this answer and nowhere else. */
export const rotatedClientSecretShape = z.object({
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown this once' }),
  previousUntil: momentOut.optional().meta({ description: 'Until then the secret before it is taken too' }),
});

/** To an operator, who in live is told where it went. */
export const rotatedForOwnerShape = rotatedClientSecretShape.extend({
  client_secret: z.string().optional().meta({ description: 'Shown this once; in live to its owner alone' }),
  handover: handoverShape.optional(),
});

/** The one answer that holds a new client secret. */
export const toRotatedClientSecret = ({
  clientId,
  clientSecret = '',
  previousUntil,
}: RotatedClientSecret): z.input<typeof rotatedClientSecretShape> => ({
  client_id: clientId,
  client_secret: clientSecret,
  previousUntil: previousUntil?.toISOString(),
});

/** The same to an operator. */
export const toRotatedForOwner = (rotated: RotatedClientSecret): z.input<typeof rotatedForOwnerShape> => ({
  client_id: rotated.clientId,
  client_secret: rotated.clientSecret,
  previousUntil: rotated.previousUntil?.toISOString(),
  handover: toHandover(rotated),
});
