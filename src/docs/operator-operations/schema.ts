import type { Kind } from '#wire/operator-operations.ts';

/** What we read of a schema of an OpenAPI document. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  example?: unknown;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: unknown;
  maxLength?: number;
}

export interface Described {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface OperatorDocument {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

/** Follows a schema to what it refers to. */
export type Resolve = (schema: Schema) => Schema;

export const resolverOf =
  ({ components }: OperatorDocument): Resolve =>
  (schema) => {
    const name = schema.$ref?.split('/').at(-1);
    if (name === undefined) return schema;
    const found = components.schemas[name];
    if (found === undefined) throw new Error(`the document has no schema ${name}`);
    return found;
  };

/** The shapes that a value may have: one, or those of `oneOf` and `anyOf`. */
export function shapesOf(given: Schema, resolve: Resolve): Schema[] {
  const schema = resolve(given);
  const of = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (of === undefined) return [schema];
  const { description, example } = schema;
  const told = { ...(description === undefined ? {} : { description }), ...(example === undefined ? {} : { example }) };
  return of.flatMap((one) => shapesOf(one, resolve)).map((one) => ({ ...one, ...told }));
}

/** Numbers that are not whole are amounts: the operator API has no others. */
export function kindOf({ type, format, properties, enum: values = [] }: Schema): Kind {
  if (type === 'array') return 'list';
  if (type === 'object' || properties !== undefined) return 'json';
  if (type === 'number') return values.some((value) => Number.isInteger(value)) ? 'integer' : 'money';
  if (type === 'integer' || type === 'boolean') return type;
  if (format === 'date-time') return 'moment';
  if (format === 'date') return 'day';
  return format === 'uuid' ? 'id' : 'text';
}

/** The values that some shapes of one thing may have, where all of them say which. */
export function valuesOf(shapes: readonly Schema[]): string[] | undefined {
  if (shapes.some(({ enum: values }) => values === undefined)) return undefined;
  return [...new Set(shapes.flatMap(({ enum: values = [] }) => values.filter((value) => value !== null).map(String)))];
}
