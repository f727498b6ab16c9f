import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import { reasonBody } from './shapes/reason.ts';

/** The schema of every change of a status: it needs a reason, and answers the record as it is then. */
export const statusAction = <Params extends z.ZodType, Shape extends z.ZodType>(params: Params, shape: Shape) => ({
  params,
  body: reasonBody,
  response: { 200: shape, ...failuresFor(400, 401, 404, 409) },
});
