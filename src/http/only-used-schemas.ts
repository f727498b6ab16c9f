import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = ReturnType<TransformObject>;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Adds the named shapes to a document, and leaves out those that none of its paths reaches. */
export const onlyUsed: TransformObject = (document) => {
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
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...whole, components: { ...whole.components, schemas } } as Document;
};
