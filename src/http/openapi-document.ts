import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import Fastify, { type RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  badgesOf,
  describeCall,
  introductionOf,
  originOf,
  securitySchemes,
  serversOf,
  tagsOf,
  type Where,
} from './openapi-about.ts';
import { giveExamples } from './openapi-examples.ts';
import { codesOf, failuresFor } from './openapi-meta.ts';
import { commonCodes, describeRefusals, invalidExample, type Refusals } from './openapi-refusals.ts';

const idempotencyKey = z.object({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409',
  }),
});

const withIdempotencyKey = (headers: unknown) =>
  headers instanceof z.ZodObject ? headers.extend(idempotencyKey.shape) : idempotencyKey;

/** The rules of every operation. */
const commonRules = `Unknown members are ignored. An optional member or parameter that is null, empty or only blanks counts as absent, and so does an optional object whose members are all absent. Text is trimmed of blanks and invisible characters (direction marks, zero-width and format characters), except passwords, client secrets and \`state\`; inside phones, BVNs, account numbers, codes, days and tags invisible characters are removed. A method that a path does not have is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`, and OPTIONS answers \`Allow\`; HEAD answers as GET does, unless GET has an effect; a path that does not exist is 404 \`ROUTE_NOT_FOUND\`. A compressed body is 415 with \`Accept-Encoding: identity\`; a query that is not UTF-8, and a repeated \`x-api-key\`, \`Authorization\` or other significant header, are 400. Failures have the shape \`Failure\`.`;

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;

/** An event, described as an operation of its receiver. */
interface Webhook {
  operationId: string;
  summary: string;
  description: string;
  headers: z.ZodType;
  body: z.ZodType;
}

export interface Description {
  title: string;
  /** Which introduction the document has. */
  about: Parameters<typeof introductionOf>[0];
  schemes: readonly (keyof typeof securitySchemes)[];
  where: Where;
  /** The defaults of every route's schema. */
  ofEveryRoute?: { tags: string[]; security: Record<string, string[]>[] };
  /** The events that the server sends. */
  webhooks?: readonly Webhook[];
}

/** Adds Idempotency-Key and the common failures to a route, and notes in `refusalsOf` what the route can refuse. */
const withCommonParts = (ofEveryRoute: Description['ofEveryRoute'], refusalsOf: Map<string, Refusals>): Transform => {
  return (route) => {
    const schema = { ...ofEveryRoute, ...route.schema };
    if (schema.hide === true || route.url.startsWith(WEBHOOKS)) return jsonSchemaTransform(route);
    const { security = [], operationId = '' } = schema;
    const { method, config: { role, memberRoles, failureMembers, ...config } = {} } = route.route;
    const isSecured = security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
    const idempotent = method === 'POST' && isSecured && config.idempotent !== false;
    const invalid = invalidExample(schema);
    const stated = schema.response as Readonly<Record<string, unknown>>;
    const ofKind = commonCodes({ schema, method: String(method), idempotent, role, memberRoles }, invalid.length > 0);
    const codes = [...new Set([...ofKind, ...Object.values(stated).flatMap(codesOf)])];
    refusalsOf.set(operationId, { codes, invalid, idempotent, role, failureMembers });
    const description = describeCall({ security, idempotent, role });
    return jsonSchemaTransform({
      ...route,
      schema: {
        ...schema,
        security,
        ...badgesOf(schema.tags),
        description: [description, schema.description].filter(Boolean).join(' '),
        ...(idempotent ? { headers: withIdempotencyKey(schema.headers) } : {}),
        response: { ...failuresFor(...codes), ...stated },
      },
    });
  };
};

/** The answer of a receiver. */
const received = { 200: z.unknown().describe('Received. Any other status than 200 and 201 is retried') };

/** The OpenAPI 3.0.3 document of these routes. @fastify/swagger collects routes as they are mounted, so they are mounted again for it. */
export async function describeRoutes(
  routes: readonly RouteOptions[],
  { title, about, schemes, where, ofEveryRoute, webhooks = [] }: Description,
  failureMembers: Record<string, unknown>,
) {
  const { default: swagger } = await import('@fastify/swagger');
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  const refusalsOf = new Map<string, Refusals>();
  const shown = routes.filter(({ schema }) => schema?.hide !== true);
  const description = `${introductionOf(about, where)}\n\n${commonRules}`;
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: { title, version: '1.0.0', description, ...originOf(where) },
      servers: serversOf(where),
      tags: tagsOf(shown.map(({ schema }) => ({ ...ofEveryRoute, ...schema }))),
      components: { securitySchemes: Object.fromEntries(schemes.map((name) => [name, securitySchemes[name]])) },
    },
    transform: withCommonParts(ofEveryRoute, refusalsOf),
    transformObject: withUsedSchemas,
  });
  for (const { method, url, schema = {}, config = {} } of shown) {
    app.route({ method, url, schema, config, handler: () => undefined });
  }
  for (const webhook of webhooks) {
    const schema = { ...webhook, security: [], response: received };
    app.route({ method: 'POST', url: `${WEBHOOKS}${webhook.operationId}`, schema, handler: () => undefined });
  }
  await app.ready();
  const document = app.swagger();
  moveWebhooks(document);
  describeBodies(document);
  giveExamples(document);
  describeRefusals(document, refusalsOf, failureMembers);
  describeFailureHeaders(document);
  return document;
}

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = ReturnType<TransformObject>;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Adds the named shapes that a document's paths use, sorted by name: moving a shape to another file changes no document. */
const withUsedSchemas: TransformObject = (document) => {
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

/** The path under which events are operations until `moveWebhooks`. */
const WEBHOOKS = '/x-webhooks/';

/** Moves the events from the paths to `x-webhooks`, where tools expect them (`webhooks` of OpenAPI 3.1). */
function moveWebhooks(document: { paths?: Record<string, unknown> }): void {
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
 * Simplifies a document for generators: one example for each shape, objects that accept further members (a later version or a surface
 * may add some), no `allOf` of a single shape, and see {@link plainValue}.
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
 * Keeps a pattern only for text without a format, and without Unicode properties: clients in Python match it against a parsed date or
 * number. An integer has its width and no bound that is only JavaScript's: otherwise clients in Java, C# and Go use 32 bits. A shape that
 * is only null becomes a nullable object.
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

/** The members of a shape that has an example, without their own: they would contradict it. */
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

/** The headers of failures. A 401 of an operation with a secret in its body has a challenge only when the caller tried a scheme. */
const failureHeaders = ({ security = [] }: Operation): Readonly<Record<string, Record<string, object>>> => ({
  401: {
    'WWW-Authenticate': {
      description:
        'How to authenticate (RFC 9110): ApiKey (x-client-id and x-api-key), Bearer or Basic; with error="invalid_token" for a token that was sent and is not valid (RFC 6750)',
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
function describeFailureHeaders(document: { paths?: Record<string, unknown> }): void {
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object))) {
    const { responses = {} } = operation as Operation;
    for (const [status, headers] of Object.entries(failureHeaders(operation as Operation))) {
      const response = responses[status];
      if (response !== undefined) response.headers = { ...response.headers, ...headers };
    }
  }
}

/** The plugin's description of an answer that has none. */
const UNDESCRIBED = 'Default Response';

const successes: Readonly<Record<string, string>> = {
  201: 'Created',
  202: 'Accepted, and not done yet: see the status in the answer',
  204: 'Done; there is no body',
};

/** Describes every answer. A body that may be null is optional, and a 204 has no content. */
function describeBodies(document: { paths?: Record<string, unknown>; 'x-webhooks'?: unknown }): void {
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
