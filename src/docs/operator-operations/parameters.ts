import type { OperatorOperation, Parameter } from '#wire/operator-operations.ts';
import { type Described, kindOf, type Resolve, type Schema, shapesOf, valuesOf } from './schema.ts';

/** `format` chooses a file, and is no parameter of anybody who asks for one. */
const CHOSEN_OTHERWISE = new Set(['format']);

/** Those of path and query, in the order of the path. */
export function parametersOfUrl(path: string, { parameters = [] }: Described, resolve: Resolve): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const order = (name: string) => inPath.indexOf(name);
  const ofPath = parameters.filter((one) => one.in === 'path').toSorted((a, b) => order(a.name) - order(b.name));
  const ofQuery = parameters.filter((one) => one.in === 'query' && !CHOSEN_OTHERWISE.has(one.name));
  return [...ofPath, ...ofQuery].map((one) => ({
    name: one.name,
    in: one.in as 'path' | 'query',
    required: one.required === true,
    ...described(shapesOf(one.schema, resolve), one.description),
    ...(exampleOf(one.schema) === undefined ? {} : { example: exampleOf(one.schema) }),
  }));
}

/** What the server would take and has no example of. */
function exampleOf({ example, format, enum: values }: Schema): unknown {
  if (example !== undefined) return example;
  if (values !== undefined) return values[0];
  if (format === 'uuid') return '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d';
  if (format === 'date-time') return '2026-01-31T08:00:00Z';
  return format === 'date' ? '2026-01-31' : undefined;
}

type Body = Pick<OperatorOperation, 'kinds'> & { parameters: Parameter[] };

/** The members of a body; of one with several shapes, those of all of them, and which shape knows and asks for which. */
export function parametersOfBody({ requestBody }: Described, resolve: Resolve): Body {
  const media = requestBody?.content['application/json'];
  if (media === undefined) return { parameters: [] };
  const shapes = shapesOf(media.schema, resolve);
  const members = shapes.map((shape) => membersOf(shape, resolve, media.example));
  const [only] = members;
  if (members.length === 1 && only !== undefined) return { parameters: only };
  const by = discriminatorOf(shapes);
  const valueOf = (at: number) => String(shapes[at]?.properties?.[by]?.enum?.[0]);
  const merged = new Map<string, Parameter>();
  for (const { name } of members.flat()) {
    const found = members.map((ofShape) => ofShape.find((one) => one.name === name));
    const of = found.flatMap((one, at) => (one === undefined ? [] : [valueOf(at)]));
    const requiredOf = found.flatMap((one, at) => (one?.required === true ? [valueOf(at)] : []));
    const [first] = found.filter((one) => one !== undefined);
    if (first === undefined) continue;
    const all = requiredOf.length === shapes.length;
    merged.set(name, {
      ...first,
      required: all,
      ...(name === by ? { values: shapes.map((_, at) => valueOf(at)) } : {}),
      ...(of.length === shapes.length ? {} : { of }),
      ...(all || requiredOf.length === 0 ? {} : { requiredOf }),
    });
  }
  return { parameters: [...merged.values()], kinds: { by, values: shapes.map((_, at) => valueOf(at)) } };
}

/** The member that has one value of its own in each shape. */
function discriminatorOf(shapes: readonly Schema[]): string {
  const [first = {}] = shapes;
  const isOne = (name: string) => shapes.every(({ properties }) => properties?.[name]?.enum?.length === 1);
  const by = Object.keys(first.properties ?? {}).find(isOne);
  if (by === undefined) throw new Error('nothing tells the shapes of a body apart');
  return by;
}

function membersOf(shape: Schema, resolve: Resolve, example: unknown, under = '', isAsked = true): Parameter[] {
  return Object.entries(shape.properties ?? {}).flatMap(([member, schema]) => {
    const name = `${under}${member}`;
    const shapes = shapesOf(schema, resolve);
    const [first = {}] = shapes;
    const required = isAsked && shape.required?.includes(member) === true;
    const ofMember = Object(example)[member] as unknown;
    if (first.properties !== undefined) return membersOf(first, resolve, ofMember, `${name}.`, required);
    const told = ofMember ?? exampleOf(first);
    const parameter: Parameter = {
      name,
      in: 'body',
      required,
      ...described(shapes, first.description),
      ...membersOfItems(first, resolve),
    };
    return [told === undefined ? parameter : { ...parameter, example: told }];
  });
}

/** What each item of a list has, where it is an object. */
function membersOfItems({ items }: Schema, resolve: Resolve): Pick<Parameter, 'members'> {
  const shape = items === undefined ? {} : resolve(items);
  if (shape.properties === undefined) return {};
  const members = membersOf(shape, resolve, undefined).map(({ name, kind, required, maxLength, description }) => ({
    name,
    kind,
    required,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(description === undefined ? {} : { description }),
  }));
  return { members };
}

/** What a parameter of several shapes says of itself: mostly the first says it for all. */
function described(shapes: readonly Schema[], description: string | undefined) {
  const [first = {}] = shapes;
  const { maxLength, minimum, maximum } = first;
  const items = first.items;
  const values = items === undefined ? valuesOf(shapes) : valuesOf([items]);
  return {
    kind: kindOf(first),
    ...(items === undefined ? {} : { items: kindOf(items) }),
    ...(values === undefined ? {} : { values }),
    ...(shapes.some(({ nullable }) => nullable) ? { nullable: true as const } : {}),
    ...(description === undefined ? {} : { description }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}
