import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revealable, revealCustomer } from '#modules/recovery';
import { optional, reason } from '#wire/text.ts';
import { idParams } from './shapes/params.ts';

const body = z.object({
  reason,
  fields: optional(z.array(z.enum(revealable)).max(revealable.length)).meta({ description: 'Absent or empty: all' }),
});

const revealed = z.object({
  id: z.uuid(),
  bvn: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  dateOfBirth: z.string().optional().meta({ example: '1990-05-17' }),
  address: z.string().optional(),
});

export function postCustomersReveal(app: ZodApp, deps: DepsOf<typeof revealCustomer>): void {
  app.post(
    '/customers/:id/reveal',
    {
      schema: {
        summary: 'Show what is masked of a customer; audited',
        params: idParams,
        body,
        response: { 200: revealed, ...failuresFor(400, 401, 404) },
      },
    },
    async ({ params, body: { reason: why, fields }, actor }) =>
      revealCustomer(deps, {
        id: params.id,
        actor,
        reason: why,
        fields: fields?.length === 0 ? undefined : fields,
      }),
  );
}
