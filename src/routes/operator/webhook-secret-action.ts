import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateWebhookSecret } from '#modules/clients';
import { secretForOwnerShape, toSecretForOwner } from '#wire/webhook.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { type CredentialDeps, waitsInLive } from './new-credentials.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { rotationBody } from './shapes/receiver.ts';

export type WebhookSecretDeps = DepsOf<typeof rotateWebhookSecret> & FourEyesDeps & CredentialDeps;

/** The schema of every rotation of a webhook secret. */
export const webhookSecretAction = {
  description:
    'In live another operator approves it first, and the secret is shown to its owner alone, once, by a link that is mailed to their proven contact.',
  params: idParams,
  body: rotationBody,
  response: {
    200: secretForOwnerShape,
    202: approvalShape,
    ...failuresFor('PARTNER_NOT_FOUND', 'RECEIVER_NOT_FOUND', 'SECRET_OVERLAP_RUNNING', 'CONTACT_NOT_PROVEN'),
  },
};

/** Rotates the webhook secret of the application or partner that a request names, and answers the new one or where it went. */
export const webhookSecretHandler = (
  app: ZodApp,
  deps: WebhookSecretDeps,
  { name, ownerKind }: { name: string; ownerKind: 'PARTNER' | 'APPLICATION' },
) =>
  fourEyes(app, deps, {
    name,
    params: idParams,
    body: rotationBody,
    waits: ({ params }) => waitsInLive(deps, { ownerKind, ownerId: params.id }),
    repeatable: false,
    run: async ({ params, body, actor, cause }): Promise<z.input<typeof secretForOwnerShape>> => {
      const owner = { ownerKind, ownerId: params.id };
      const toOwner = deps.environment === 'live';
      return toSecretForOwner(await rotateWebhookSecret(deps, { ...body, owner, actor, toOwner, cause }));
    },
  });
