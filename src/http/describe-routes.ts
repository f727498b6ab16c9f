import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import Fastify, { type RouteOptions } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
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
import { describeBodies, describeFailureHeaders, moveWebhooks, WEBHOOKS, withUsedSchemas } from './openapi-document.ts';
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

/** What holds for every operation, so that none must repeat it. */
const ofEveryOperation = `Unknown members are ignored. An optional member or parameter that is null, empty or only blanks counts as absent, and so does an optional object whose members are all absent. Text is trimmed of blanks and of what is invisible (marks of direction, zero-width and format characters), except passwords, client secrets and \`state\`; inside phones, BVNs, account numbers, codes, days and tags what is invisible is removed. A method that a path does not have is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`, and OPTIONS answers \`Allow\`; HEAD answers as GET does, where that does nothing; a path that does not exist is 404 \`ROUTE_NOT_FOUND\`. A compressed body is 415 with \`Accept-Encoding: identity\`; a query that is no UTF-8, and two headers of one name that decides something (e.g. \`x-api-key\`, \`Authorization\`), are 400. Failures have the shape \`Failure\`.`;

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;

/** An event that is sent: described as an operation of whoever receives it. */
interface Webhook {
  operationId: string;
  summary: string;
  description: string;
  headers: z.ZodType;
  body: z.ZodType;
}

export interface Description {
  title: string;
  /** Which introduction it has. */
  about: Parameters<typeof introductionOf>[0];
  schemes: readonly (keyof typeof securitySchemes)[];
  where: Where;
  /** What every route's schema has, where it does not say otherwise. */
  ofEveryRoute?: { tags: string[]; security: Record<string, string[]>[] };
  /** What the server sends by itself. */
  webhooks?: readonly Webhook[];
}

/**
 * Adds what every route of its kind has, so that no route must repeat it: Idempotency-Key, and the common failures. Notes what
 * each can refuse.
 */
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

/** What a receiver answers. */
const received = { 200: z.unknown().describe('Received. Any answer but 200 and 201 is tried again') };

/** The OpenAPI 3.0.3 document of these routes. The plugin that makes it listens while routes are mounted: they are mounted for it once more. */
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
  const description = `${introductionOf(about, where)}\n\n${ofEveryOperation}`;
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
