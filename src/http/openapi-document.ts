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
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  enum?: unknown[];
  example?: unknown;
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
  allOf?: unknown[];
  pattern?: string;
}

/**
 * Says one example of a thing. Leaves every object open: a later version may add members, and the failures of a surface have some of their own. Says
 * nothing that generators read differently: no `allOf` of a single shape, and what {@link plainValue} leaves out.
 */
const plain = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part), (_key, value: Part | null) => {
    if (value === null || typeof value !== 'object') return value;
    if (value.example !== undefined && value.properties !== undefined)
      value.properties = withoutExamples(value.properties);
    if (value.additionalProperties === false) delete value.additionalProperties;
    plainValue(value);
    const [only, ...others] = Array.isArray(value.allOf) ? value.allOf : [];
    return only !== undefined && others.length === 0 && Object.keys(value).length === 1 ? only : value;
  });

const INT32_MAX = 2 ** 31 - 1;

/**
 * A pattern is for text without a format, and has no Unicode properties: clients in Python hold it against what they have made of
 * a date or a number already. A whole number says how wide it is, and no bound that is only JavaScript's own: without, clients in Java,
 * C# and Go take 32 bits. Nothing but null is a member that may be null.
 */
function plainValue(value: Part): void {
  const { type, format, pattern, minimum = 0, maximum = Number.POSITIVE_INFINITY } = value;
  const isForText = type === 'string' && format === undefined;
  if (typeof pattern === 'string' && (!isForText || pattern.includes('\\p{'))) delete value.pattern;
  if (type === 'integer') {
    if (minimum === Number.MIN_SAFE_INTEGER) delete value.minimum;
    if (maximum === Number.MAX_SAFE_INTEGER) delete value.maximum;
    value.format ??= maximum <= INT32_MAX && minimum >= -INT32_MAX ? 'int32' : 'int64';
  }
  if (Array.isArray(value.enum) && value.enum.every((one) => one === null)) {
    delete value.enum;
    Object.assign(value, { type: 'object', example: null });
  }
}

/** The members of a shape that has an example itself: one of their own would say something else. */
const withoutExamples = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, withoutExample(member)]));

function withoutExample(member: unknown): unknown {
  const { example: _example, properties, ...rest } = Object(member) as Part;
  return { ...rest, ...(properties === undefined ? {} : { properties: withoutExamples(properties) }) };
}

interface Operation {
  summary?: string;
  security?: unknown[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: { nullable?: boolean } }> };
  responses?: Record<string, { description?: string; headers?: object; content?: object }>;
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
      schema: { type: 'integer', format: 'int32', minimum: 1 },
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

/** What the plugin calls an answer that nobody has described. */
const UNDESCRIBED = 'Default Response';

const successes: Readonly<Record<string, string>> = {
  201: 'It was made',
  202: 'Taken, and not done yet: see the status in the answer',
  204: 'Done; there is no body',
};

/** Says of every answer what it is. A body that may be null may be left out, and where there is no content none is described. */
export function describeBodies(document: { paths?: Record<string, unknown>; 'x-webhooks'?: unknown }): void {
  const sent = Object.values(Object(document['x-webhooks']) as Record<string, { post: Operation }>);
  for (const { post } of sent) for (const response of Object.values(post.responses ?? {})) delete response.content;
  for (const path of Object.values(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(path as Record<string, Operation>)) {
      const { summary = '', requestBody, responses = {} } = operation;
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        if (requestBody === undefined || schema?.nullable !== true) continue;
        requestBody.required = false;
        delete schema.nullable;
      }
      delete responses['204']?.content;
      for (const [status, response] of Object.entries(responses)) {
        if (response.description !== UNDESCRIBED) continue;
        response.description = successes[status] ?? (method === 'get' ? summary : `Done: ${summary}`);
      }
    }
  }
}
