import { z } from 'zod';
import { failureShape } from '#http/openapi-meta.ts';

/** An answer that is JSON for a program, and a page for a browser. */
export const orPage = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});

export const orPageFailures = { 404: orPage('Unknown', failureShape), 410: orPage('Expired', failureShape) };

/** How such a page is opened. */
export const openedWith = z.object({
  with: z.unknown().optional().meta({ description: '`code`: the page asks for the code that was sent' }),
});
