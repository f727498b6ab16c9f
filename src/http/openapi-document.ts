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

/** Under this path events stand as operations, until their shapes are those of the document. */
export const WEBHOOKS = '/x-webhooks/';

/** Moves the events from the paths to where tools look for them (`webhooks` of OpenAPI 3.1, an extension in 3.0). */
export function moveWebhooks(document: { paths?: Record<string, unknown> }): void {
  const paths = Object.entries(document.paths ?? {});
  const moved = paths.filter(([path]) => path.startsWith(WEBHOOKS));
  document.paths = Object.fromEntries(paths.filter(([path]) => !path.startsWith(WEBHOOKS)));
  if (moved.length === 0) return;
  const webhooks = Object.fromEntries(moved.map(([path, item]) => [path.slice(WEBHOOKS.length), item]));
  Object.assign(document, { 'x-webhooks': webhooks });
}

interface Part {
  example?: unknown;
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
  allOf?: unknown[];
  pattern?: string;
}

/**
 * Says one example of a thing. Leaves every object open: a later version may add members, and the failures of a surface have some of their own. Says
 * nothing that generators read differently: no pattern by Unicode properties, and no `allOf` of a single shape.
 */
const plain = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part), (_key, value: Part | null) => {
    if (value === null || typeof value !== 'object') return value;
    if (value.example !== undefined && value.properties !== undefined)
      value.properties = withoutExamples(value.properties);
    if (value.additionalProperties === false) delete value.additionalProperties;
    if (typeof value.pattern === 'string' && value.pattern.includes('\\p{')) delete value.pattern;
    const [only, ...others] = Array.isArray(value.allOf) ? value.allOf : [];
    return only !== undefined && others.length === 0 && Object.keys(value).length === 1 ? only : value;
  });

/** The members of a shape that has an example itself: one of their own would say something else. */
const withoutExamples = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, withoutExample(member)]));

function withoutExample(member: unknown): unknown {
  const { example: _example, properties, ...rest } = Object(member) as Part;
  return { ...rest, ...(properties === undefined ? {} : { properties: withoutExamples(properties) }) };
}

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
