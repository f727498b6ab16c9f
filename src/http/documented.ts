import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { onlyUsed } from './only-used-schemas.ts';
import { failuresFor } from './openapi-meta.ts';
import type { ZodApp } from './zod-app.ts';

const securitySchemes = {
  clientId: { type: 'apiKey', in: 'header', name: 'x-client-id' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  customer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  application: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} as const;

const idempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Makes a repeated request answer as the first did, for 24 hours' }),
});

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;

/** Adds what every route of its kind has, so that no route must say it: Idempotency-Key, and the failures of any request. */
const withCommonParts: Transform = (route) => {
  const { schema, route: options } = route;
  if (schema.hide === true) return jsonSchemaTransform(route);
  const isIdempotent =
    options.method === 'POST' && schema.security !== undefined && options.config?.idempotent !== false;
  const response = { ...failuresFor(...(schema.body ? ([413, 415, 503] as const) : ([503] as const))) };
  return jsonSchemaTransform({
    ...route,
    schema: {
      ...schema,
      ...(isIdempotent ? { headers: idempotencyKey } : {}),
      response: { ...response, ...(schema.response as object) },
    },
  });
};

/** Describes the routes of this instance in an OpenAPI 3.0.3 document, answered at `openapi.json`. */
export async function documented(
  app: ZodApp,
  { title, schemes }: { title: string; schemes: readonly (keyof typeof securitySchemes)[] },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: { title, version: '1.0.0' },
      components: { securitySchemes: Object.fromEntries(schemes.map((name) => [name, securitySchemes[name]])) },
    },
    transform: withCommonParts,
    transformObject: onlyUsed,
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
