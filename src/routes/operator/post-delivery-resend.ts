import { recordChange } from '#modules/audit';
import { getDelivery, resendDelivery } from '#modules/outbox';
import { failuresFor } from '../../http/openapi-meta.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { deliveryParams, deliveryWithAttempts, toDeliveryWithAttempts } from './delivery-shapes.ts';

export function postDeliveryResend(app: ZodApp, { db, wake }: Resources): void {
  app.post(
    '/deliveries/:id/resend',
    {
      schema: {
        summary: 'Deliver an event once more: a new delivery with attempts of its own',
        params: deliveryParams,
        response: { 200: deliveryWithAttempts, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const resent = await db.transaction(async (tx) => {
        const created = await resendDelivery(tx, id);
        await recordChange(tx, {
          actor: request.credential,
          action: 'delivery.resend',
          target: id,
          after: { delivery: created.id },
        });
        return created;
      });
      wake();
      return toDeliveryWithAttempts(await getDelivery(db, resent.id));
    },
  );
}
