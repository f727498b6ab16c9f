import { z } from 'zod';
import type { RotatedClientSecret } from '#modules/applications';
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

/** The one answer that holds a new client secret. */
export const toRotatedClientSecret = (rotated: RotatedClientSecret): z.input<typeof rotatedClientSecretShape> => ({
  client_id: rotated.clientId,
  client_secret: rotated.clientSecret,
  previousUntil: rotated.previousUntil?.toISOString(),
});
