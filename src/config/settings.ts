import { z } from 'zod';
import { defaultsOf } from './defaults.ts';
import { type Env, givenTexts } from './environment.ts';
import { type VariableName, type Variables, variables } from './variables.ts';

export const settingSources = ['ENVIRONMENT', 'FILE', 'GENERATED', 'DEFAULT', 'UNSET'] as const;

/** A variable as this process has it. */
export interface Setting {
  name: string;
  /** As it would be given: nothing of a secret, and a URL without login and parameters. */
  value: string | undefined;
  /** True: the value is never shown. */
  isSecret: boolean;
  /** FILE: that which `NAME_FILE` names. GENERATED: made at the first start of the embedded sandbox. */
  source: (typeof settingSources)[number];
  unit: string | undefined;
  /** Its group in the guide to the configuration. */
  subject: string;
  /** What it is for. */
  purpose: string;
}

/** Keys, tokens, passwords, and headers that may hold one. */
const SECRET = /(^|_)(TOKEN|KEY|KEY_PREVIOUS|APP_ID|HEADERS)$/;
/** The name of a key. */
const NO_SECRET: ReadonlySet<string> = new Set(['KMS_VAULT_KEY']);

const units: readonly (readonly [RegExp, string])[] = [
  [/_PER_S$/, 'a second'],
  [/_PER_M$/, 'a minute'],
  [/_PER_H$/, 'an hour'],
  [/_PER_D$/, 'a day'],
  [/_MS$/, 'milliseconds'],
  [/_S$/, 'seconds'],
  [/_H$/, 'hours'],
  [/_D$/, 'days'],
  [/^(DAILY_LIMIT_|APPROVAL_ABOVE$)/, 'naira'],
];

/** Whether a variable's value is never shown. */
export const isSecretName = (name: string): boolean => SECRET.test(name) && !NO_SECRET.has(name);

/**
 * Every variable, in the order of the guide to the configuration, with its value and where that came from.
 *
 * @param read what was made of them
 * @param generated secrets that the embedded sandbox made for itself
 */
export function settingsOf(
  read: Pick<Variables, 'ENVIRONMENT' | 'PORT'> & { embedded: boolean },
  generated: Readonly<Record<string, string>> = {},
  env?: Env,
): Setting[] {
  const { texts: given, ofFiles } = givenTexts(env);
  const made: Readonly<Record<string, string>> = read.embedded ? generated : {};
  const defaults: Readonly<Record<string, string>> = {
    ENVIRONMENT: read.ENVIRONMENT,
    PUBLIC_URL: `http://localhost:${read.PORT}`,
    ...defaultsOf(read.ENVIRONMENT, read.embedded),
  };
  return variableNames.map((name) => {
    const usual = defaults[name] ?? defaultTextOf(name);
    const text = given[name] ?? made[name] ?? (usual === '' ? undefined : usual);
    const isSecret = isSecretName(name);
    return {
      name,
      value: text === undefined || isSecret ? undefined : shownOf(name, text),
      isSecret,
      source: sourceOf(name, { given, ofFiles, made, isSet: text !== undefined }),
      unit: units.find(([ending]) => ending.test(name))?.[1],
      subject: subjectOf(name),
      purpose: purposeOf(name),
    };
  });
}

function sourceOf(
  name: VariableName,
  where: { given: Env; ofFiles: ReadonlySet<string>; made: Env; isSet: boolean },
): Setting['source'] {
  if (where.given[name] !== undefined) return where.ofFiles.has(name) ? 'FILE' : 'ENVIRONMENT';
  if (where.made[name] !== undefined) return 'GENERATED';
  return where.isSet ? 'DEFAULT' : 'UNSET';
}

const OF_A_URL = /_(URL|ENDPOINT)$/;

/** A URL without login and parameters, which may hold a password; undefined without a host. Any other text unchanged. */
function shownOf(name: string, text: string): string | undefined {
  if (!OF_A_URL.test(name)) return text;
  const url = URL.parse(text.trim());
  return url === null || url.host === '' ? undefined : `${url.protocol}//${url.host}${url.pathname}`;
}

const shapes: Readonly<Record<string, z.ZodType>> = variables.shape;
/** A value that every variable refuses, with a message that says what is valid. */
const NEVER_VALID = '\u0000';

export const variableNames = Object.keys(shapes) as VariableName[];

/** What a variable is for. */
export const purposeOf = (name: VariableName): string => shapes[name]?.description ?? '';

/** What a variable takes. */
export function validOf(name: VariableName): string {
  const refused = variables.shape[name].safeParse(NEVER_VALID);
  if (refused.success) return 'text';
  return (refused.error.issues[0]?.message ?? '').replace(/^must (be|have) /, '');
}

/** The default of a variable, as it would be given. Empty: none. Undefined: the variable must be given. */
export function defaultTextOf(name: VariableName): string | undefined {
  const shape = shapes[name];
  const given = shape instanceof z.ZodPipe && shape.in instanceof z.ZodDefault ? shape.in : shape;
  if (given instanceof z.ZodDefault) return asGiven(given.def.defaultValue);
  return given?.isOptional() ? '' : undefined;
}

/** Amounts are kept in kobo. */
const asGiven = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'bigint' ? String(Number(value) / 100) : String(value);

/** The groups of variables with the names in each; all others are the process's. */
const subjects: readonly (readonly [subject: string, names: RegExp])[] = [
  ['Stores and secrets', /^(DATABASE|REDIS|DATA_DIR|OPERATOR_TOKEN$|MASTER_KEY|KMS)/],
  ['Traces', /^OTEL_/],
  ['Webhooks', /^WEBHOOK_/],
  ['Tokens and limits', /(_TTL_[SD]$|^RATE_LIMIT_|^DAILY_LIMIT_|^APPLICATION_REGISTRATION$)/],
  ['The institution', /^(INSTITUTION|EMV)_/],
  ['Fees and account numbers', /^(FEE|NUBAN)_/],
  ['Outside providers', /^(BVN|BANK|MESSAGING|EMAIL|PAYOUT|INBOUND)_/],
];
const THE_PROCESS = 'The process';

/** Every subject, in the order of the guide to the configuration. */
export const subjectTitles: readonly string[] = [THE_PROCESS, ...subjects.map(([subject]) => subject)];

/** The group of a variable. */
export const subjectOf = (name: string): string => subjects.find(([, names]) => names.test(name))?.[0] ?? THE_PROCESS;
