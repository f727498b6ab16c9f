import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateSecret } from '#modules/outbox';
import { rotatedSecretShape, toRotatedSecret } from '#wire/webhook.ts';
import { idParams } from './shapes/params.ts';
import { rotationBody } from './shapes/receiver.ts';

/** The schema of every rotation of a webhook secret. */
export const webhookSecretAction = {
  params: idParams,
  body: rotationBody,
  response: { 200: rotatedSecretShape, ...failuresFor('RECEIVER_NOT_FOUND', 'SECRET_OVERLAP_RUNNING') },
};

interface WebhookSecretRequest {
  params: z.output<typeof idParams>;
  body: z.output<typeof rotationBody>;
  actor: string;
}

/** Rotates the webhook secret of the application or partner that a request names, and answers the new one. */
export async function runWebhookSecretAction(
  deps: DepsOf<typeof rotateSecret>,
  ownerKind: Parameters<typeof rotateSecret>[1]['owner']['ownerKind'],
  { params, body, actor }: WebhookSecretRequest,
): Promise<z.input<typeof rotatedSecretShape>> {
  const owner = { ownerKind, ownerId: params.id };
  return toRotatedSecret(await rotateSecret(deps, { ...body, owner, actor }));
}
