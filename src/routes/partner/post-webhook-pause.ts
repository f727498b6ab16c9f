import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { pauseReceiver } from '#modules/webhooks';
import { optionalReason } from '#wire/text.ts';
import { toWebhook, type WebhookViewDeps, webhookShape } from '#wire/webhook.ts';

/** Told where its owner said nothing. */
const REASON = 'paused by its owner';

const body = z
  .object({ reason: optionalReason })
  .nullish()
  .transform((given) => ({ reason: given?.reason ?? REASON }));

export function postWebhookPause(app: ZodApp, deps: DepsOf<typeof pauseReceiver> & WebhookViewDeps): void {
  app.post(
    '/webhook/pause',
    {
      schema: {
        tags: ['Extension'],
        operationId: 'pauseWebhook',
        summary: 'Send this partner nothing until it is resumed; its events are kept',
        security: partnerOnly,
        body,
        response: { 200: webhookShape },
      },
    },
    async (request) => {
      const change = {
        ...request.body,
        actor: request.credential,
        by: 'OWNER',
        ownerId: partnerOf(request).id,
      } as const;
      return toWebhook(await pauseReceiver(deps, change), deps);
    },
  );
}
