import { z } from 'zod';
import type { ErrorCode } from '#lib/error-codes.ts';

/** The failure members of every surface, for the OpenAPI documents. */
export const failureShape = z
  .object({
    success: z.literal(false),
    message: z.string(),
    errorCode: z.string().meta({ example: 'INVALID_PARAMETER' satisfies ErrorCode }),
    errors: z.array(z.string()),
    timestamp: z.iso.datetime(),
    requestId: z.string(),
  })
  .meta({ id: 'Failure' });

const descriptions = {
  400: 'A parameter is missing or not valid',
  401: 'Credentials, code or token are missing or not valid',
  403: 'The caller is suspended, or may not do this',
  404: 'Unknown, or somebody else’s',
  409: 'In conflict with what is there',
  410: 'Expired, or not kept any more',
  413: 'The body is larger than 32 KiB',
  415: 'Not a content type of this operation',
  422: 'Refused by a money rule',
  429: 'Too many: see Retry-After',
  502: 'A provider is down: safe to send again',
  503: 'Busy, or the store is down: safe to send again',
} as const;

/** The failures a route can answer, for its `response` schema. */
export const failuresFor = <Status extends keyof typeof descriptions>(...statuses: Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, failureShape.describe(descriptions[status])])) as Record<
    Status,
    typeof failureShape
  >;

/** An answer in plain text, for a `response` schema. */
export const plainText = (description: string) => ({
  description,
  content: { 'text/plain': { schema: z.string() } },
});

export const partnerOnly = [{ clientId: [], apiKey: [] }];
export const partnerAndCustomer = [{ clientId: [], apiKey: [], customer: [] }];
export const applicationOnly = [{ application: [] }];
export const anybodyOrApplication = [{}, { application: [] }];
export const operatorOnly = [{ operator: [] }];
