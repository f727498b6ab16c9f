import { defaultsOf } from './defaults.ts';
import { defaultTextOf, purposeOf, variableNames } from './described.ts';
import { type Env, givenTexts } from './environment.ts';
import { subjectOf } from './subjects.ts';
import type { VariableName, Variables } from './variables.ts';

export const settingSources = ['ENVIRONMENT', 'FILE', 'GENERATED', 'DEFAULT', 'UNSET'] as const;

/** A variable as this process has it. */
export interface Setting {
  name: string;
  /** As it would be given. Of a secret nothing, of a URL neither who logs in nor its parameters. */
  value: string | undefined;
  /** True: its value is told to nobody. */
  isSecret: boolean;
  /** FILE: that which `NAME_FILE` names. GENERATED: made at the first start of the embedded sandbox. */
  source: (typeof settingSources)[number];
  unit: string | undefined;
  /** What it is about, as the guide to the configuration groups them. */
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

/** Whether a variable's value is told to nobody. */
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

/** A URL without who logs in and without its parameters, which may be a password too; nothing of what has no host. Any other text as it is. */
function shownOf(name: string, text: string): string | undefined {
  if (!OF_A_URL.test(name)) return text;
  const url = URL.parse(text.trim());
  return url === null || url.host === '' ? undefined : `${url.protocol}//${url.host}${url.pathname}`;
}
