import { exactValue } from '#lib/minor-units.ts';
import { type OperatorOperation, type Parameter, parametersIn } from '../catalogue/operations.ts';
import { momentAsked } from '../reads/filter-form.ts';

/** What stood in a form, by the names of its fields; several where a name stood there several times. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const WITH_COMMAS = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;

/** Before the name of a field: the box that takes away what is there. */
export const NULL_OF = 'null:';

export const first = (value: Fields[string]): string => (typeof value === 'string' ? value : (value?.[0] ?? ''));
export const all = (value: Fields[string]): readonly string[] => (typeof value === 'string' ? [value] : (value ?? []));

/** The members of an operation’s body that a form of this kind has. */
export function membersOf(operation: OperatorOperation, kind: string | undefined): Parameter[] {
  const members = parametersIn(operation, 'body').filter(({ name }) => name !== operation.kinds?.by);
  return members.filter(({ of }) => of === undefined || (kind !== undefined && of.includes(kind)));
}

/** Which of its kinds a body is of: the one that was chosen, or else the first. */
export const kindOf = ({ kinds }: OperatorOperation, chosen: string): string | undefined =>
  kinds === undefined ? undefined : kinds.values.includes(chosen) ? chosen : kinds.values[0];

/**
 * The body that a form stands for. What is left empty is left out; what is not the number or the JSON that it should be goes as
 * the text that it is, so that the API says what is wrong with it.
 */
export function bodyOf(operation: OperatorOperation, kind: string | undefined, fields: Fields): object {
  const body: Record<string, unknown> = {};
  if (operation.kinds !== undefined) body[operation.kinds.by] = kind;
  for (const parameter of membersOf(operation, kind)) {
    const value =
      parameter.members !== undefined
        ? itemsOf(parameter, fields)
        : parameter.nullable === true && first(fields[`${NULL_OF}${parameter.name}`]) !== ''
          ? null
          : valueOf(parameter, fields[parameter.name]);
    if (value !== undefined) put(body, parameter.name.split('.'), value);
  }
  return body;
}

/** Fields for the items of a list that are objects: as many as most need, and one by one more can be added where there is an operation for it. */
export const ITEMS = 3;

/** What the member of an item is called in a form, and in what the API says of it. */
export const nameOfMember = (list: string, at: number, member: string): string => `${list}.${at}.${member}`;

/** The items of a list that are objects: those of which anything was typed. */
function itemsOf({ name: list, members = [] }: Parameter, fields: Fields): object[] | undefined {
  const items = Array.from({ length: ITEMS }, (_, at) =>
    Object.fromEntries(
      members.flatMap((member) => {
        const value = valueOf(member, fields[nameOfMember(list, at, member.name)]);
        return value === undefined ? [] : [[member.name, value]];
      }),
    ),
  ).filter((item) => Object.keys(item).length > 0);
  return items.length === 0 ? undefined : items;
}

function put(body: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) body[name] = value;
  else put((body[name] ??= {}) as Record<string, unknown>, rest, value);
}

function valueOf({ kind, items }: Pick<Parameter, 'kind' | 'items'>, given: Fields[string]): unknown {
  if (kind === 'list') {
    const values = all(given)
      .flatMap((text) => text.split(/[\n,]/))
      .map((text) => text.trim());
    const kept = values.filter((text) => text !== '');
    return kept.length === 0 ? undefined : kept.map((text) => (items === 'integer' ? numberIn(text) : text));
  }
  const text = first(given);
  if (text.trim() === '') return undefined;
  switch (kind) {
    case 'money':
    case 'integer':
      return numberIn(text.trim());
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'moment':
      return momentAsked(text.trim());
    case 'json':
      return jsonIn(text);
    default:
      return text;
  }
}

/** A number that is written as one, also with commas between its thousands. One that a number of JavaScript cannot be stays text. */
function numberIn(text: string): number | string {
  const plain = WITH_COMMAS.test(text) ? text.replaceAll(',', '') : text;
  if (!PLAIN_NUMBER.test(plain)) return text;
  const value = Number(plain);
  return exactValue(String(value)) === exactValue(plain) ? value : text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
