import type { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { mayDo, type Role } from '#modules/operators';
import { type Hidden, maskMarked } from '#wire/personal.ts';

/**
 * Masks in every answer of this instance what its shape marks as personal, for whoever may only read, and what it marks as a
 * part of credentials, for support too. An answer that is not
 * an object, as a file would be, is not masked by this.
 */
export function maskForViewers(app: ZodApp): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const hidden = request.operator === null ? [] : hiddenFrom(operatorOf(request).role);
    if (hidden.length === 0) return payload;
    const shape = jsonShapeOf(request.routeOptions.schema?.response, reply.statusCode);
    return shape === undefined ? payload : maskMarked(shape, payload, hidden);
  });
}

type Described = z.ZodType | { content: { 'application/json'?: { schema: z.ZodType } } };

/** The shape of an answer: that of a file is the shape of the page that it is written from. */
function jsonShapeOf(response: unknown, statusCode: number): z.ZodType | undefined {
  const described = (response as Readonly<Record<string, Described>> | undefined)?.[statusCode];
  return described !== undefined && 'content' in described ? described.content['application/json']?.schema : described;
}

function hiddenFrom(role: Role): readonly Hidden[] {
  if (mayDo(role, 'finance')) return [];
  return mayDo(role, 'support') ? ['credential'] : ['credential', 'personal'];
}
