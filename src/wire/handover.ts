import { z } from 'zod';
import type { Handover } from '#modules/clients';
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
