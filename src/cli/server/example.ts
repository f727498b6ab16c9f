import type { OperatorOperation, Parameter } from '#wire/operator-operations.ts';
import { flagOf, isFlag } from './parameters.ts';

/** A command line of an operation, as its examples in the OpenAPI document have it: what it needs, and for a list a filter. */
export function exampleOf({ noun, verb, parameters, kinds, list }: OperatorOperation): string[] {
  const inPath = parameters.filter((one) => one.in === 'path');
  const kind = kinds?.values[0];
  const needed = parameters.filter(
    ({ in: place, required, requiredOf = [] }) => place !== 'path' && (required || requiredOf.includes(kind ?? '')),
  );
  const filter = list ? parameters.find((one) => one.in === 'query' && one.values !== undefined) : undefined;
  const options = filter === undefined ? needed : [...needed, filter];
  return [
    ...noun.split(' '),
    ...verb.split(' ').filter((word) => word !== ''),
    ...inPath.map(valueOf),
    ...options.flatMap((one) => optionWords(one, kinds?.by === one.name ? kind : undefined)),
  ];
}

const optionWords = (parameter: Parameter, kind: string | undefined): string[] =>
  isFlag(parameter) ? [`--${flagOf(parameter.name)}`] : [`--${flagOf(parameter.name)}`, kind ?? valueOf(parameter)];

/** The example of a parameter; its name in capitals where it has none. */
function valueOf({ name, example, items }: Parameter): string {
  if (example === undefined) return (name.split('.').at(-1) ?? name).replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  if (Array.isArray(example) && items !== 'json') return example.map(String).join(',');
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** Words as a shell takes them. */
export const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
