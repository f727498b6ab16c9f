import { z } from 'zod';
import type { Handover, RotatedClientSecret } from '#modules/clients';
import { momentOut } from './moment.ts';
import { personal } from './personal.ts';

/** Where a new secret went in live, in place of the answer. */
export const handoverShape = z
  .object({
    to: personal(z.string(), 'email').meta({
      description: 'The proven contact of the owner',
      example: 'w***@acme.example',
    }),
    expiresAt: momentOut.meta({ description: 'Until then the link that was mailed there shows the secret, once' }),
  })
  .meta({ description: 'In live: the secret is shown to its owner alone' });

/** The same of what was made; left out where it was shown in the answer itself. */
export const toHandover = ({
  handover,
}: {
  handover: Handover | undefined;
}): z.input<typeof handoverShape> | undefined =>
  handover && { to: handover.to, expiresAt: handover.expiresAt.toISOString() };

export const immediately = z
  .boolean()
  .default(false)
  .meta({ description: 'The previous secret stops at once, instead of staying valid with the new one for a day' });

/** The new secret is in this answer and nowhere else. */
export const rotatedClientSecretShape = z.object({
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown this once' }),
  previousUntil: momentOut.optional().meta({ description: 'Until then the secret before it is taken too' }),
});

/** The same to an operator; in live it says where the secret went. */
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
