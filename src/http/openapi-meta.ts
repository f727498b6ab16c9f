import { z } from 'zod';
import { errorTable } from '#errors';
import type { ErrorCode } from '#lib/domain-error.ts';

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
  404: 'Unknown, or not the caller’s',
  409: 'In conflict with the current state',
  410: 'Expired or deleted',
  413: 'The body is larger than 32 KiB, or a bank’s file than 12 MiB',
  415: 'Not a content type of this operation',
  422: 'Refused by a money rule',
  429: 'Too many: see Retry-After',
  502: 'A provider is down: safe to send again',
  503: 'Busy, or the store is down: safe to send again',
} as const;

type FailureStatus = keyof typeof descriptions;
type StatusOf<Code extends ErrorCode> = (typeof errorTable)[Code]['status'] & FailureStatus;

const codesOfShapes = new WeakMap<object, readonly ErrorCode[]>();

/** The error codes of a failure in a `response` schema; none for a success. */
export const codesOf = (shape: unknown): readonly ErrorCode[] => codesOfShapes.get(Object(shape)) ?? [];

/** Notes the error codes of a failure in a `response` schema. */
export function withCodes<Shape extends object>(shape: Shape, codes: readonly ErrorCode[]): Shape {
  codesOfShapes.set(shape, codes);
  return shape;
}

/**
 * The failures of a route for its `response` schema, by error code. Failures that all routes of a kind have, e.g. of credentials or of
 * a body, are added in `http/openapi-document.ts`.
 */
export function failuresFor<Code extends ErrorCode>(...codes: Code[]) {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status as StatusOf<Code>))];
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => errorTable[code].status === status);
      return [status, withCodes(failureShape.describe(descriptions[status]), ofStatus)];
    }),
  ) as Record<StatusOf<Code>, typeof failureShape>;
}

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
