import { z } from 'zod';
import { errorTable } from '#errors';
import type { ErrorCode } from '#lib/domain-error.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Failure, type FailureMembers, failure, parameterErrors } from './failures.ts';

/** The refusals of an operation, and what their examples are made of. */
export interface Refusals {
  codes: readonly ErrorCode[];
  /** The lines of its INVALID_PARAMETER. */
  invalid: readonly string[];
  idempotent: boolean;
  role: string | undefined;
  failureMembers: FailureMembers | undefined;
}

interface Route {
  schema: { security?: readonly Record<string, unknown>[]; [part: string]: unknown };
  method: string;
  idempotent: boolean;
  role: string | undefined;
  memberRoles: object | undefined;
}

const KEY_ERROR = 'Idempotency-Key: must have 1 to 255 printable ASCII characters';

const ofCredentials: Readonly<Record<string, readonly ErrorCode[]>> = {
  apiKey: ['INVALID_CREDENTIALS', 'KEY_ENVIRONMENT_MISMATCH', 'PARTNER_SUSPENDED', 'TOO_MANY_REQUESTS'],
  customer: ['INVALID_CUSTOMER_TOKEN'],
  application: ['INVALID_APPLICATION_TOKEN', 'APPLICATION_NOT_ACTIVE', 'TOO_MANY_REQUESTS'],
  operator: ['INVALID_CREDENTIALS', 'KEY_ENVIRONMENT_MISMATCH', 'TOO_MANY_REQUESTS'],
};

/** The refusals that come before the handler: of path, credentials, role, idempotency key and body. */
export function commonCodes(
  { schema, method, idempotent, role, memberRoles }: Route,
  isValidated: boolean,
): ErrorCode[] {
  const { security = [] } = schema;
  const isSecured = security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
  const schemes = isSecured ? security.flatMap((scheme) => Object.keys(scheme)) : [];
  const needsRole = (role !== undefined && role !== 'viewer') || memberRoles !== undefined;
  return [
    'BAD_REQUEST',
    ...(isValidated || idempotent ? (['INVALID_PARAMETER'] as const) : []),
    ...(method === 'GET' ? [] : (['MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...schemes.flatMap((scheme) => ofCredentials[scheme] ?? []),
    ...(needsRole ? (['ROLE_REFUSED'] as const) : []),
    ...(idempotent
      ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_FLIGHT', 'IDEMPOTENCY_ANSWER_LOST'] as const)
      : []),
    'BUSY',
    'STORE_UNAVAILABLE',
    'PROXY_NOT_TRUSTED',
  ];
}

const PARTS = ['body', 'querystring', 'params', 'headers'] as const;
/** Longer than any text, and neither number nor id nor date. */
const NOTHING_VALID = '?'.repeat(300);

/** The lines with which the route's own shapes refuse an invalid request. None where they accept anything. */
export function invalidExample(schema: Readonly<Record<string, unknown>>): string[] {
  for (const part of PARTS) {
    const shape = schema[part];
    if (!(shape instanceof z.ZodType)) continue;
    const members = Object.keys('shape' in shape ? Object(shape.shape) : { channel: 1 });
    const invalid = Object.fromEntries(members.map((member) => [member, NOTHING_VALID]));
    for (const tried of part === 'params' ? [invalid] : [{}, invalid]) {
      const { error } = shape.safeParse(tried);
      if (error) return parameterErrors(error.issues, part);
    }
  }
  return [];
}

/** The message and the lines of a refusal of this operation. */
function messageOf(
  code: ErrorCode,
  { invalid, idempotent, role }: Refusals,
): { message: string; errors?: readonly string[] } {
  const message = errorTable[code].message;
  if (code === 'INVALID_PARAMETER')
    return { message: invalid[0] ?? (idempotent ? KEY_ERROR : message), errors: invalid };
  if (role === undefined) return { message };
  if (code === 'INVALID_CREDENTIALS') return { message: 'this operator token is not valid' };
  return {
    message: code === 'ROLE_REFUSED' && role !== 'viewer' ? `this needs the role ${role}, and you are viewer` : message,
  };
}

/** The body of a refusal. */
function exampleOf(code: ErrorCode, refusals: Refusals, surface: Record<string, unknown>): Failure {
  const { message, errors } = messageOf(code, refusals);
  const error = new DomainError(code, message, errors === undefined ? {} : { errors });
  const body = { ...surface, ...refusals.failureMembers?.(error), ...failure(error, 'req-7f3a9c') };
  return { ...body, timestamp: '2026-01-31T08:00:00.000Z' };
}

interface Document {
  paths?: Record<string, unknown>;
  components?: { examples?: Record<string, unknown> };
}
interface Response {
  content?: Record<string, unknown>;
}

/**
 * Describes every refusal in a document with its error codes, each with an example.
 *
 * @param members the surface's own members of each failure
 */
export function describeRefusals(
  document: Document,
  refusalsOf: ReadonlyMap<string, Refusals>,
  members: Record<string, unknown>,
): void {
  const shared = new Map<string, unknown>();
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object))) {
    const { operationId = '', responses } = operation as {
      operationId?: string;
      responses: Record<string, Response>;
    };
    const refusals = refusalsOf.get(operationId);
    if (refusals === undefined) continue;
    for (const status of new Set(refusals.codes.map((code) => errorTable[code].status))) {
      const codes = refusals.codes.filter((code) => errorTable[code].status === status).toSorted();
      const examples = codes.map((code) => [code, exampleFor(code, refusals, members, shared)]);
      const response = responses[status];
      if (response === undefined) throw new Error(`${operationId} has no ${status} to describe`);
      const json = { schema: schemaOf(codes), examples: Object.fromEntries(examples) as unknown };
      response.content = { ...response.content, 'application/json': json };
    }
  }
  const sorted = Object.fromEntries([...shared].toSorted(([a], [b]) => a.localeCompare(b)));
  document.components = { ...document.components, examples: sorted };
}

/** An example that is the same in all operations is written once and referenced. */
function exampleFor(
  code: ErrorCode,
  refusals: Refusals,
  members: Record<string, unknown>,
  shared: Map<string, unknown>,
): unknown {
  const example = { summary: errorTable[code].happened, value: exampleOf(code, refusals, members) };
  if (code === 'INVALID_PARAMETER' || code === 'ROLE_REFUSED' || refusals.failureMembers !== undefined) return example;
  shared.set(code, example);
  return { $ref: `#/components/examples/${code}` };
}

const schemaOf = (codes: readonly ErrorCode[]) => ({
  allOf: [
    { $ref: '#/components/schemas/Failure' },
    { type: 'object', properties: { errorCode: { type: 'string', enum: codes } } },
  ],
});
