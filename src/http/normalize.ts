import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { isVerbatim, trimInvisible, withoutBlanks, withoutInvisible } from '#lib/text/input.ts';

/**
 * Judges a part of a request that was kept, as a request's is judged.
 *
 * @throws what a request with such a part would be refused with
 */
export function judgeStored<Kept extends z.ZodType>(
  schema: Kept,
  httpPart: 'body' | 'params',
  given: unknown,
): z.output<Kept> {
  const validate = compileShape({ schema, httpPart, method: 'POST', url: '/' });
  const judged = validate(given) as { value?: z.output<Kept>; error?: Error };
  if (judged.error !== undefined) throw judged.error;
  return judged.value as z.output<Kept>;
}

/** What a part of a request is before it is judged. */
type Normalize = (given: unknown) => unknown;
type Shape = z.core.$ZodType;
type Members = Readonly<Record<string, unknown>>;

/** Members that are numbers, which people copy from messages and pages and write in groups: neither blanks nor what is invisible is part of them. */
const NUMBERS: ReadonlySet<string> = new Set('phone phoneNumber bvn nin nuban accountNumber otp code'.split(' '));
/** Members that are handles and days: what is invisible is no part of them, wherever it stands. */
const COPIED: ReadonlySet<string> = new Set(
  `dateOfBirth date day from to q paytag tag tags tagString senderTag receiverTag primaryTag secondaryTag`.split(/\s+/),
);

/**
 * Compiles the shapes of requests, and with each the rule of every API: text is trimmed before it is judged, of blanks and of
 * what is invisible, and an optional member or parameter that is null, empty or only blanks is absent; so is an optional object
 * whose members are all absent. Inside numbers, handles and days what is invisible is removed, and inside numbers blanks are. Where
 * a shape takes null, null is a value. Free-form members stay as they are.
 */
export const compileShape: FastifySchemaCompiler<z.ZodType> = (route) => {
  const judge = validatorCompiler(route);
  const normalize = normalizerOf(route.schema);
  if (route.httpPart !== 'headers') return (given: unknown) => judge(normalize(given));
  return (given: unknown) => judge(normalize(headersAsWritten(given)));
};

/** Node gives each byte of a header as a character; most callers mean UTF-8. */
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
/** What is done to a member of this name besides. */
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
      return normalizerOf(judgedOf(def));
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

/** The side of a pipe that judges what was sent: of a preprocessing the second, of a transformation the first. */
const judgedOf = ({ in: first, out: second }: z.core.$ZodPipeDef): Shape =>
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
    const said = trimmed(given[discriminator]) as z.core.util.Primitive;
    return kinds.find(({ values }) => values?.has(said))?.normalize(given) ?? given;
  };
}

/** How a member is normalized, and when it then counts as absent. */
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

/** As a list of handles, or as one. */
const copied =
  (normalize: Normalize, cleaner: Normalize): Normalize =>
  (given) =>
    Array.isArray(given) ? given.map((one) => cleaner(one)) : cleaner(normalize(given));

interface Kind {
  isOptional: boolean;
  isNullable: boolean;
  /** Of an object's members. */
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
      return kindOf(judgedOf(def));
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

/** As JSON or a query has them: not an array, and nothing of a class, e.g. an inexact number. */
function isObject(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
