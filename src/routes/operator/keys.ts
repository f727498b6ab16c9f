import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { keyStatuses, listSigningKeys, revokeSigningKey, rotateSigningKeys, type SigningKey } from '#modules/keys';
import { momentOut } from '#wire/moment.ts';
import { optional } from '#wire/text.ts';
import { reasonBody } from './shapes.ts';

const signingKeyShape = z.object({
  kid: z.string().meta({ description: 'As tokens and JWKS name it (RFC 7638)' }),
  status: z.enum(keyStatuses),
  verifies: z.boolean().meta({ description: 'Whether a token that it signed may be good; then it is in JWKS' }),
  verifiesUntil: momentOut.optional().meta({ description: 'Of a retired key: then its last token has expired' }),
  createdAt: momentOut,
  retiredAt: momentOut.optional(),
  revokedAt: momentOut.optional(),
});

/** What is shown of a signing key. */
const toSigningKey = (key: SigningKey): z.input<typeof signingKeyShape> => ({
  ...key,
  verifiesUntil: key.verifiesUntil?.toISOString(),
  createdAt: key.createdAt.toISOString(),
  retiredAt: key.retiredAt?.toISOString(),
  revokedAt: key.revokedAt?.toISOString(),
});

export function postKeysRevoke(app: ZodApp, deps: DepsOf<typeof revokeSigningKey>): void {
  app.post(
    '/keys/:kid/revoke',
    {
      schema: {
        operationId: 'revokeSigningKey',
        summary: 'End a signing key that somebody else may have: within a second no token that it signed is good',
        params: z.object({ kid: z.string() }),
        body: reasonBody,
        response: { 200: signingKeyShape, ...failuresFor('SIGNING_KEY_NOT_FOUND', 'SIGNING_KEY_REVOKED') },
      },
    },
    async (request) => {
      const revocation = { ...request.body, ...request.params, actor: request.actor };
      return toSigningKey(await revokeSigningKey(deps, revocation));
    },
  );
}

export function postKeysRotate(app: ZodApp, deps: DepsOf<typeof rotateSigningKeys>): void {
  app.post(
    '/keys/rotate',
    {
      schema: {
        operationId: 'rotateSigningKey',
        summary: 'Sign tokens with the next key from now on; sessions stay valid',
        body: reasonBody.extend({
          immediately: optional(z.boolean()).meta({
            description:
              'Also while verifiers may not know the next key yet: they refuse what it signs for up to 300 s',
          }),
        }),
        response: {
          200: z.object({ current: z.string(), next: z.string() }),
          ...failuresFor('SIGNING_KEY_TOO_NEW'),
        },
      },
    },
    async (request) => rotateSigningKeys(deps, { ...request.body, actor: request.actor }),
  );
}

export function getKeys(app: ZodApp, deps: DepsOf<typeof listSigningKeys>): void {
  app.get(
    '/keys',
    {
      schema: {
        operationId: 'listSigningKeys',
        summary: 'The keys that sign tokens, newest first, those included that sign no more',
        response: { 200: z.object({ items: z.array(signingKeyShape) }) },
      },
    },
    async () => ({ items: (await listSigningKeys(deps)).map(toSigningKey) }),
  );
}
