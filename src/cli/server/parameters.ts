import { InvalidArgumentError, Option } from 'commander';
import type { Kind, OperatorOperation, Parameter } from '#wire/operator-operations.ts';
import { CommandFailure } from '../terminal.ts';

const MONEY = /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/;
/** The value that removes the current one. */
const NONE = 'none';

/** How the command line writes a parameter: `sender.name` is `sender-name`. */
export const flagOf = (name: string): string =>
  name.replaceAll('.', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Where commander keeps its value: `senderName`. */
const keyOf = (name: string): string => name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Whether it is given by its name alone: a boolean, or what can only be `true`. */
export const isFlag = ({ kind, values }: Parameter): boolean => kind === 'boolean' || values?.join() === 'true';

/** The options of a parameter: two for a boolean, `--x` and `--no-x`. */
export function optionsOf(parameter: Parameter): Option[] {
  const { name, required, values, kind, in: place } = parameter;
  const flag = flagOf(name);
  const told = describe(parameter);
  if (isFlag(parameter)) {
    const yes = new Option(`--${flag}`, told);
    return kind === 'boolean' && place === 'body' ? [yes, new Option(`--no-${flag}`).hideHelp()] : [yes];
  }
  const option = new Option(`--${flag} <${placeholderOf(parameter)}>`, told).argParser(
    (text: string, before: unknown) => readValue(parameter, text, before),
  );
  if (values !== undefined && kind !== 'list') option.argChoices = values;
  return [required ? option.makeOptionMandatory() : option];
}

const placeholders: Record<Kind, string> = {
  text: 'text',
  id: 'id',
  money: 'amount',
  integer: 'number',
  boolean: '',
  moment: 'time',
  day: 'date',
  json: 'json',
  list: 'list',
};
const placeholderOf = ({ kind, values, name }: Parameter): string =>
  values !== undefined && kind !== 'list' ? (name.split('.').at(-1)?.toLowerCase() ?? 'value') : placeholders[kind];

function describe({ description, requiredOf, of, nullable, role, kind, values, items }: Parameter): string {
  const parts = [description?.replace(/^null: /, `"${NONE}": `)];
  const isNeededWhereKnown = requiredOf?.join() === of?.join();
  if (of !== undefined) parts.push(`for ${of.join(', ')} alone${isNeededWhereKnown ? ', and needed there' : ''}`);
  if (requiredOf !== undefined && !isNeededWhereKnown) parts.push(`needed for ${requiredOf.join(', ')}`);
  if (kind === 'list' && items === 'json') parts.push('an object, or an array of them; may be given several times');
  else if (kind === 'list')
    parts.push(`one or several, with commas${values === undefined ? '' : ` (${values.join(', ')})`}`);
  if (nullable === true && !description?.includes('null:')) parts.push(`"${NONE}" removes it`);
  if (role !== undefined) parts.push(`needs the role ${role}`);
  return parts.filter((part) => part !== undefined).join('; ');
}

/**
 * The value that the API is sent, of what stands on the command line.
 *
 * @throws InvalidArgumentError for what cannot be one
 */
function readValue(parameter: Parameter, text: string, before: unknown): unknown {
  const { kind, nullable, values, items } = parameter;
  if (nullable === true && text === NONE) return null;
  if (kind === 'list') {
    const kept: unknown[] = Array.isArray(before) ? before : [];
    if (items === 'json') return [...kept, ...[jsonIn(text)].flat()];
    const given = text.split(',').map((one) => readOne(items ?? 'text', one.trim(), values));
    return [...kept, ...given];
  }
  return readOne(kind, text, values);
}

function readOne(kind: Kind, text: string, values: readonly string[] | undefined): unknown {
  if (values !== undefined && !values.includes(text)) {
    throw new InvalidArgumentError(`It may be ${values.join(', ')}.`);
  }
  if (kind === 'money') return numberIn(text, MONEY, 'It must be an amount, as 1500.50.');
  if (kind === 'integer') return numberIn(text, /^-?\d{1,15}$/, 'It must be a whole number.');
  if (kind === 'moment') return momentIn(text);
  return kind === 'json' ? jsonIn(text) : text;
}

function numberIn(text: string, form: RegExp, otherwise: string): number {
  if (!form.test(text)) throw new InvalidArgumentError(otherwise);
  return Number(text);
}

/** A day alone is its first moment here, in local time; everything else is read as the API reads it. */
function momentIn(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const at = new Date(isDay ? `${text}T00:00:00` : text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('It must be a time, as 2026-01-31T08:00:00Z.');
  return isDay ? at.toISOString() : text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}

/** A request of the operator API. */
export interface Request {
  method: OperatorOperation['method'];
  /** Under /operator/v1, with its query. */
  path: string;
  /** Undefined where the operation takes none. */
  body: Record<string, unknown> | undefined;
}

/**
 * The request that a command line asks for.
 *
 * @param args what stands for the parameters in the path, in their order
 * @param options by their keys; what is none of the operation's is left out
 * @param more further parameters of the query
 * @throws CommandFailure for what is missing, or cannot stand in a path
 */
export function requestOf(
  { method, path, parameters, kinds }: OperatorOperation,
  { args, options }: { args: readonly string[]; options: Readonly<Record<string, unknown>> },
  more: Readonly<Record<string, string>> = {},
): Request {
  const inPath = parameters.filter((one) => one.in === 'path');
  const filled = inPath.reduce((url, { name }, at) => url.replace(`{${name}}`, inUrl(name, args[at] ?? '')), path);
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const parameter of parameters.filter((one) => one.in !== 'path')) {
    const value = options[keyOf(parameter.name)];
    if (value === undefined) continue;
    if (parameter.in === 'query') query.set(parameter.name, inQuery(value));
    else putIn(body, parameter.name.split('.'), value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  const kind = kinds === undefined ? undefined : String(options[keyOf(kinds.by)]);
  const missing = parameters.filter(
    ({ requiredOf, name }) => kind !== undefined && requiredOf?.includes(kind) && options[keyOf(name)] === undefined,
  );
  if (missing.length > 0) {
    const flags = missing.map(({ name }) => `--${flagOf(name)}`).join(', ');
    throw new CommandFailure('usage', `error: ${kind} needs ${flags}`);
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return { method, path: filled + search, body: method === 'GET' ? undefined : body };
}

const inQuery = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A URL would be shortened by `.` and `..`, however they are written. */
function inUrl(name: string, text: string): string {
  if (text === '' || text === '.' || text === '..') throw new CommandFailure('usage', `error: <${name}> is not valid`);
  return encodeURIComponent(text);
}

function putIn(body: Record<string, unknown>, [member = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) body[member] = value;
  else putIn((body[member] ??= {}) as Record<string, unknown>, rest, value);
}
