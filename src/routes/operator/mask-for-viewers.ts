import type { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { mayDo } from '#modules/operators';
import { maskPersonal } from '#wire/personal.ts';

/**
 * Masks in every answer of this instance what its shape marks as personal, for whoever may only read. An answer that is not
 * an object, as a file would be, is not masked by this.
 */
export function maskForViewers(app: ZodApp): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (request.operator === null || mayDo(operatorOf(request).role, 'support')) return payload;
    const shapes = request.routeOptions.schema?.response as Readonly<Record<string, z.ZodType>> | undefined;
    const shape = shapes?.[reply.statusCode];
    return shape === undefined ? payload : maskPersonal(shape, payload);
  });
}
