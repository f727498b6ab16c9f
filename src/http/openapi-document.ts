import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = ReturnType<TransformObject>;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Adds the named shapes that a document's paths reach, sorted by name: which file a shape stands in changes no document. */
export const withUsedSchemas: TransformObject = (document) => {
  const whole = jsonSchemaTransformObject(document) as {
    paths?: unknown;
    components?: { schemas?: Record<string, unknown> };
  };
  const all = whole.components?.schemas ?? {};
  const used = new Set<string>();
  const reach = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(REFERENCE)) {
      if (used.has(name)) continue;
      used.add(name);
      reach(all[name]);
    }
  };
  reach(whole.paths);
  const schemas = Object.fromEntries([...used].toSorted().map((name) => [name, all[name]]));
  return plain({ ...whole, components: { ...whole.components, schemas } }) as Document;
};

interface Part {
  additionalProperties?: unknown;
  allOf?: unknown[];
  pattern?: string;
}

/**
 * Leaves every object open: a later version may add members, and the failures of a surface have some of their own. Says
 * nothing that generators read differently: no pattern by Unicode properties, and no `allOf` of a single shape.
 */
const plain = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part), (_key, value: Part | null) => {
    if (value === null || typeof value !== 'object') return value;
    if (value.additionalProperties === false) delete value.additionalProperties;
    if (typeof value.pattern === 'string' && value.pattern.includes('\\p{')) delete value.pattern;
    const [only, ...others] = Array.isArray(value.allOf) ? value.allOf : [];
    return only !== undefined && others.length === 0 && Object.keys(value).length === 1 ? only : value;
  });

interface Operation {
  security?: unknown[];
  responses?: Record<string, { headers?: object }>;
}

/** The headers of failures. A 401 of an operation that takes its secret in the body challenges only whoever tried a scheme. */
const failureHeaders = ({ security = [] }: Operation): Readonly<Record<string, Record<string, object>>> => ({
  401: {
    'WWW-Authenticate': {
      description:
        'How to authenticate (RFC 9110): ApiKey (x-client-id and x-api-key), Bearer or Basic; with error="invalid_token" for a token that was sent and is not good (RFC 6750)',
      required: security.length > 0,
      schema: { type: 'string' },
      example: 'Bearer realm="paytag", error="invalid_token"',
    },
  },
  429: {
    'Retry-After': {
      description: 'Whole seconds after which the same request may succeed',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    },
  },
});

/** Adds the headers of failures to every operation of a document that can answer them. */
export function describeFailureHeaders(document: { paths?: Record<string, unknown> }): void {
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object))) {
    const { responses = {} } = operation as Operation;
    for (const [status, headers] of Object.entries(failureHeaders(operation as Operation))) {
      const response = responses[status];
      if (response !== undefined) response.headers = { ...response.headers, ...headers };
    }
  }
}
