import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isVerbatim, trimInvisible, withoutBlanks, withoutInvisible } from '#lib/text/input.ts';

/**
 * Validates a stored part of a request as an arriving one is validated.
 *
 * @throws the validation error of such a request
 */
export function validateStored<Kept extends z.ZodType>(
  schema: Kept,
  httpPart: 'body' | 'params',
  given: unknown,
): z.output<Kept> {
  const validate = compileShape({ schema, httpPart, method: 'POST', url: '/' });
  const result = validate(given) as { value?: z.output<Kept>; error?: Error };
  if (result.error !== undefined) throw result.error;
  return result.value as z.output<Kept>;
}

/** Changes a part of a request before validation. */
type Normalize = (given: unknown) => unknown;
type Shape = z.core.$ZodType;
type Members = Readonly<Record<string, unknown>>;

/** Members that are numbers. People copy them and write them in groups: blanks and invisible characters are removed. */
const NUMBERS: ReadonlySet<string> = new Set('phone phoneNumber bvn nin nuban accountNumber otp code'.split(' '));
/** Members that are handles and days: invisible characters are removed. */
const COPIED: ReadonlySet<string> = new Set(
  `dateOfBirth date day from to q paytag tag tags tagString senderTag receiverTag primaryTag secondaryTag`.split(/\s+/),
);

/**
 * Compiles the shapes of requests. Before validation text is trimmed of blanks and invisible characters, and an optional member or
 * parameter that is null, empty or blank counts as absent; so does an optional object whose members are all absent. Numbers, handles and
 * days lose invisible characters inside, and numbers blanks too. Where a shape accepts null, null is a value. Free-form members stay
 * unchanged.
 */
export const compileShape: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route);
  const normalize = normalizerOf(route.schema);
  if (route.httpPart !== 'headers') return (given: unknown) => validate(normalize(given));
  return (given: unknown) => validate(normalize(headersAsWritten(given)));
};

/** Node decodes headers as Latin-1; most callers send UTF-8. */
function headersAsWritten(given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, headerAsWritten(value)]));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function headerAsWritten(value: unknown): unknown {
  if (typeof value !== 'string' || !/[\x80-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

const asItIs: Normalize = (given) => given;
const trimmed: Normalize = (given) => (typeof given === 'string' ? trimInvisible(given) : given);
const cleaned: Normalize = (given) => (typeof given === 'string' ? withoutInvisible(given) : given);
const joined: Normalize = (given) => (typeof given === 'string' ? withoutBlanks(given) : given);
/** The further change to a member of this name. */
const cleanerOf = (name: string): Normalize => (NUMBERS.has(name) ? joined : COPIED.has(name) ? cleaned : asItIs);

const eachOf = (normalize: Normalize): Normalize =>
  normalize === asItIs ? asItIs : (given) => (Array.isArray(given) ? given.map((one) => normalize(one)) : given);

function normalizerOf(shape: Shape): Normalize {
  if (isVerbatim(shape)) return asItIs;
  const { def } = (shape as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return trimmed;
    case 'optional':
    case 'nullable':
    case 'default':
      return normalizerOf(def.innerType);
    case 'pipe':
      return normalizerOf(inputSideOf(def));
    case 'array':
      return eachOf(normalizerOf(def.element));
    case 'object':
      return normalizerOfObject(def.shape);
    case 'union':
      return normalizerOfUnion(def);
    default:
      return asItIs;
  }
}

/** The side of a pipe that validates the input: the second of a preprocessing, the first of a transformation. */
const inputSideOf = ({ in: first, out: second }: z.core.$ZodPipeDef): Shape =>
  first._zod.def.type === 'transform' ? second : first;

function normalizerOfObject(shape: Readonly<Record<string, Shape>>): Normalize {
  const members = Object.entries(shape).map(([name, member]) => ({ name, ...memberOf(member, cleanerOf(name)) }));
  return (given) => {
    if (!isObject(given)) return given;
    const normalized: Record<string, unknown> = { ...given };
    for (const { name, normalize, isAbsent } of members) {
      if (!Object.hasOwn(normalized, name)) continue;
      const value = normalize(normalized[name]);
      if (isAbsent(value)) delete normalized[name];
      else normalized[name] = value;
    }
    return normalized;
  };
}

function normalizerOfUnion(def: z.core.$ZodUnionDef & { discriminator?: string }): Normalize {
  const { discriminator, options } = def;
  if (discriminator === undefined) {
    return options.every((option) => normalizerOf(option) === trimmed) ? trimmed : asItIs;
  }
  const kinds = options.map((option) => ({
    values: option._zod.propValues?.[discriminator],
    normalize: normalizerOf(option),
  }));
  return (given) => {
    if (!isObject(given)) return given;
    const kind = trimmed(given[discriminator]) as z.core.util.Primitive;
    return kinds.find(({ values }) => values?.has(kind))?.normalize(given) ?? given;
  };
}

/** How a member is normalized, and when it counts as absent afterwards. */
function memberOf(
  shape: Shape,
  cleaner: Normalize,
): { normalize: Normalize; isAbsent: (normalized: unknown) => boolean } {
  const { isOptional, isNullable, names } = kindOf(shape);
  const isEmpty = (value: unknown): boolean =>
    isBlank(value) || (names !== undefined && isObject(value) && names.every((name) => isBlank(value[name])));
  const normalize = normalizerOf(shape);
  return {
    normalize: cleaner === asItIs || normalize === asItIs ? normalize : copied(normalize, cleaner),
    isAbsent: (value) => isOptional && !(value === null && isNullable) && isEmpty(value),
  };
}

/** Cleans one handle, or each of a list. */
const copied =
  (normalize: Normalize, cleaner: Normalize): Normalize =>
  (given) =>
    Array.isArray(given) ? given.map((one) => cleaner(one)) : cleaner(normalize(given));

interface Kind {
  isOptional: boolean;
  isNullable: boolean;
  /** Names of an object's members. */
  names: readonly string[] | undefined;
}

function kindOf(shape: Shape): Kind {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
      return { ...kindOf(def.innerType), isOptional: true };
    case 'nullable':
      return { ...kindOf(def.innerType), isNullable: true };
    case 'pipe':
      return kindOf(inputSideOf(def));
    default:
      return {
        isOptional: false,
        isNullable: false,
        names: def.type === 'object' ? Object.keys(def.shape) : undefined,
      };
  }
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && trimInvisible(value) === '');

/** True for a plain object of JSON or a query: not an array, and not of a class such as InexactNumber. */
function isObject(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What a value must be, by the name that zod has for its type. */
const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a URL',
  email: 'must be an e-mail address',
  date: 'must be a date, as 2026-11-23',
  datetime: 'must be a date and time in UTC, as 2026-11-23T08:30:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** A bound as a sentence: characters of a text, items of a list, the number itself. */
function bound(side: 'least' | 'most', value: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit !== undefined && side === 'least' && Number(value) === 1) return 'must not be empty';
  return unit === undefined ? `must be at ${side} ${value}` : `must have at ${side} ${value}${unit}`;
}

/** Says what the value must be. Undefined keeps zod's own message. */
const messageFor: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const name = NAMES[issue.expected];
      if (name === undefined) return undefined;
      return issue.input === undefined ? `is missing: it must be ${name}` : `must be ${name}`;
    }
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound('least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('most', issue.maximum, issue.origin);
    default:
      return undefined;
  }
};

/** Replaces zod's messages, such as "Invalid input: expected string, received undefined", by what to send instead. */
export function installZodMessages(): void {
  z.config({ customError: messageFor });
}
