import { z } from 'zod';
import { keyStatuses, type SigningKey } from '#modules/keys';
import { momentOut } from '#wire/moment.ts';

export const signingKeyShape = z.object({
  kid: z.string().meta({ description: 'As tokens and JWKS name it (RFC 7638)' }),
  status: z.enum(keyStatuses),
  verifies: z.boolean().meta({ description: 'Whether a token that it signed may be good; then it is in JWKS' }),
  verifiesUntil: momentOut.optional().meta({ description: 'Of a retired key: then its last token has expired' }),
  createdAt: momentOut,
  retiredAt: momentOut.optional(),
  revokedAt: momentOut.optional(),
});

/** What is shown of a signing key. */
export const toSigningKey = (key: SigningKey): z.input<typeof signingKeyShape> => ({
  ...key,
  verifiesUntil: key.verifiesUntil?.toISOString(),
  createdAt: key.createdAt.toISOString(),
  retiredAt: key.retiredAt?.toISOString(),
  revokedAt: key.revokedAt?.toISOString(),
});
