import type { Described, Document } from '../../support/described.ts';

/** As much of a JSON schema as tells what a member may be. */
export interface MemberSchema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, MemberSchema>;
  required?: string[];
  anyOf?: MemberSchema[];
  oneOf?: MemberSchema[];
}

/** A query parameter, or a member of a body, as the document of its operation describes it. */
export interface Member {
  where: 'query' | 'body';
  /** Its name; behind those of the objects it stands in. */
  path: readonly string[];
  isRequired: boolean;
  schema: MemberSchema;
  /** The `type` of the body, where an operation does several things. */
  kind: string | undefined;
}

/** Every query parameter and every member of a body that a document has for an operation. */
export function membersOf({ operation, document }: Described): Member[] {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const body: MemberSchema | undefined = operation.requestBody?.content['application/json']?.schema;
  return [
    ...parameters.map(({ name, required = false, schema }): Member => {
      return { where: 'query', path: [name], isRequired: required, schema, kind: undefined };
    }),
    ...(body === undefined ? [] : kindsOf(resolved(body, document)).flatMap((kind) => inBody(kind, document))),
  ];
}

const kindsOf = (body: MemberSchema): MemberSchema[] => body.anyOf ?? body.oneOf ?? [body];

function inBody(body: MemberSchema, document: Document): Member[] {
  const whole = resolved(body, document);
  const [kind] = whole.properties?.['type']?.enum ?? [];
  const inObject = ({ properties = {}, required = [] }: MemberSchema, above: readonly string[]): Member[] =>
    Object.entries(properties).flatMap(([name, member]) => {
      const schema = resolved(member, document);
      const path = [...above, name];
      const one: Member = {
        where: 'body',
        path,
        isRequired: required.includes(name),
        schema,
        kind: typeof kind === 'string' ? kind : undefined,
      };
      return [one, ...inObject(schema, path)];
    });
  return inObject(whole, []);
}

const resolved = (schema: MemberSchema, { components }: Document): MemberSchema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').pop() ?? ''] ?? schema);

/** Values of another type than the member's, as JSON has them; undefined where there is none. */
export function wrongType({ where, schema }: Member): unknown {
  if (where === 'query') return schema.type === 'integer' || schema.enum !== undefined ? 'something' : ['a', 'b'];
  const { type } = schema.anyOf?.[0] ?? schema;
  return type === 'string' ? 42 : 'something';
}

/** The names and types in an answer, whatever the values: of a list those of its first item. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
