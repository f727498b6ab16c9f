import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { reasonBody } from './shapes/reason.ts';

/** The schema of every change of a status: it needs a reason, and answers the record as it is then. */
export const statusAction = <Params extends z.ZodType, Shape extends z.ZodType, Code extends ErrorCode>(
  params: Params,
  shape: Shape,
  ...codes: Code[]
) => ({
  params,
  body: reasonBody,
  response: { 200: shape, ...failuresFor(...codes) },
});
