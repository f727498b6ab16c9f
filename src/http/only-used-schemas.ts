import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = ReturnType<TransformObject>;

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Adds the named shapes that a document's paths reach, sorted by name: which file a shape stands in changes no document. */
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
  const schemas = Object.fromEntries([...used].toSorted().map((name) => [name, all[name]]));
  return open({ ...whole, components: { ...whole.components, schemas } }) as Document;
};

/** Leaves every object open: a later version may add members, and the failures of a surface have some of their own. */
const open = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part), (_key, value) => {
    if (value?.additionalProperties !== false) return value;
    const { additionalProperties: _closed, ...rest } = value;
    return rest;
  });
