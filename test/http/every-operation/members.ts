import type { Described, Document } from '../../support/described.ts';

/** As much of a JSON schema as tells what a member may be. */
export interface MemberSchema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  description?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
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

/** JSON text that JavaScript has no value for. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const MARK = 'raw JSON: ';
/** A value as JSON text. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one instanceof Raw ? MARK + one.text : one)).replaceAll(
    new RegExp(`"${MARK}([^"]*)"`, 'g'),
    '$1',
  );

const texts = ['a b', 'x', '12', '\u0660'.repeat(10), '\u0000'];
const moments = [
  'yesterday',
  '2026-01-31',
  '2026-02-30T00:00:00Z',
  '2026-01-31T10:00:00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-12:00',
];

/** Values of another type than a member's, and those that its description does not allow. 0 is as nothing where a number is optional. */
export function unfitValues({ where, path, schema, isRequired }: Member): unknown[] {
  const name = path.at(-1) ?? '';
  const {
    type,
    format,
    pattern,
    maxLength,
    minimum,
    maximum,
    enum: known,
    description = '',
  } = schema.anyOf?.[0] ?? schema;
  const values: unknown[] = where === 'query' ? [['a', 'b']] : [type === 'string' ? 42 : 'something'];
  if (known !== undefined) return [...values, 'GONE'];
  if (format === 'uuid') return [...values, 'acme'];
  if (format === 'date-time') return [...values, ...moments];
  if (name === 'cursor') values.push('x', '%00', Buffer.from('another-list 7').toString('base64url'));
  if (name === 'metadata') values.push([1], { long: 'x'.repeat(4096) });
  if (pattern !== undefined) values.push(...texts.filter((text) => !new RegExp(pattern).test(text)));
  if (maxLength !== undefined) values.push('x'.repeat(maxLength + 1));
  if (type === 'integer') values.push(1.5);
  if (minimum !== undefined && (isRequired || minimum !== 1)) values.push(minimum - 1);
  if (maximum !== undefined) values.push(maximum + 1);
  if (type === 'number' && /at most two decimals/.test(description))
    values.push(-5, 10.005, '100', new Raw('1e400'), new Raw('9007199254740993'), ...(name === 'amount' ? [0] : []));
  return values;
}

/** The names and types in an answer, whatever the values: of a list those of its first item. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
