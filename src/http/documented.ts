import swagger from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { onlyUsed } from './only-used-schemas.ts';
import type { ZodApp } from './zod-app.ts';

const securitySchemes = {
  clientId: { type: 'apiKey', in: 'header', name: 'x-client-id' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  customer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  application: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} as const;

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
    transform: jsonSchemaTransform,
    transformObject: onlyUsed,
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
