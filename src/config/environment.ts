import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { defaultsOf } from './defaults.ts';
import { brokenRules } from './rules.ts';
import { ignoredTracing } from './tracing.ts';
import { type Variables, variables } from './variables.ts';

/** The variables that are missing, unknown or not valid. `message` has a line for each, which names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The variables of those lines. */
  readonly variables: readonly string[];

  constructor(message: string, options: ErrorOptions & { variables?: readonly string[] } = {}) {
    super(message, options);
    this.variables = options.variables ?? [];
  }
}

export type Env = Readonly<Record<string, string | undefined>>;
const shapes: Readonly<Record<string, z.ZodType>> = variables.shape;
const names = Object.keys(shapes);

/** Prefixes of our variables. An unknown variable with one is a misspelling, not another program's. */
const OUR_PREFIX =
  /^((APPLICATION|APPROVAL|AUTH_CODE|BANK|BVN|CUSTOMER|DAILY_LIMIT|DATA|DATABASE|EMAIL|EMV|EVENT_LOOP|FEE|INBOUND|INSTITUTION|KMS|LOG|MESSAGING|METRICS|MIGRATE|NUBAN|OPERATOR|PAYOUT|PUBLIC|RATE_LIMIT|REDIS|REQUESTS_RUNNING|SHUTDOWN|TRUSTED|WEBHOOK)_|ENVIRO|MASTER_?KEY|OPERATOR_?TOKEN)/;
/** Suffixes of the variables that Kubernetes and Docker set for a service called `redis` or `database`. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT|PORT)$|_SERVICE_PORT_\w|_PORT_\d+_(TCP|UDP)(_|$)/;

/** The values that were given, and one line for each that is wrong. */
interface Given {
  readonly values: Partial<Record<string, string>>;
  readonly problems: Map<string, string>;
}

/**
 * The folder of the embedded sandbox's database and secrets; undefined when DATABASE_URL is given, and in an environment that
 * has no embedded database.
 */
export function embeddedDataDir(env: Env = process.env): string | undefined {
  const { values, problems } = readGiven(env);
  return isEmbedded(values, problems) ? (values['DATA_DIR'] ?? '.data') : undefined;
}

/** No other environment has an embedded database: there DATABASE_URL is missing. */
const isEmbedded = ({ DATABASE_URL, ENVIRONMENT = 'sandbox' }: Given['values'], problems: Given['problems']): boolean =>
  DATABASE_URL === undefined && !problems.has('DATABASE_URL') && ENVIRONMENT === 'sandbox';

/**
 * Reads all variables from the environment.
 *
 * @param generated secrets that the embedded sandbox made for itself; ignored when DATABASE_URL is given
 * @throws ConfigError naming every variable that is missing, unknown or not valid, what it is for, and what would be valid
 */
export function readVariables(generated: Record<string, string> = {}, env: Env = process.env): Variables {
  const { values, problems } = readGiven(env);
  const embedded = isEmbedded(values, problems);
  const given = { ...(embedded ? { ENVIRONMENT: 'sandbox', ...generated } : {}), ...values };
  const texts: Readonly<Record<string, string>> = { ...defaultsOf(given.ENVIRONMENT ?? '', embedded), ...given };

  const read: Record<string, unknown> = {};
  const refuse = (name: string, why: string): void => {
    if (!problems.has(name)) problems.set(name, refusal(name, why, given));
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const parsed = shape.safeParse(texts[name]);
    if (parsed.success) read[name] = parsed.data;
    else refuse(name, parsed.error.issues[0]?.message ?? '');
  }
  for (const { name, why } of brokenRules({ ...read, embedded })) refuse(name, why);
  refuseUnknown(env, problems);
  if (read['ENVIRONMENT'] === 'live') refuseUnverifiedTls(env, problems);
  if (problems.size > 0) throw new ConfigError(inOrder(problems).join('\n'), { variables: [...problems.keys()] });
  return { ...variables.parse(texts), embedded };
}

/** The variables that were given. An empty one counts as absent. `NAME_FILE` names a file that holds `NAME`, e.g. a container's secret. */
function readGiven(env: Env): Given {
  const values: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of names) {
    const value = env[name];
    const file = env[`${name}_FILE`];
    if (value) values[name] = value;
    if (!file) continue;
    const text = value ? undefined : readSecret(file);
    const isThere = text !== undefined && text !== '';
    if (isThere) values[name] = text;
    else if (value) problems.set(name, `${name} and ${name}_FILE are both set: give one of them`);
    else problems.set(name, `${name}_FILE is not valid: ${file} ${text === '' ? 'is empty' : 'cannot be read'}`);
  }
  return { values, problems };
}

/** The texts of the variables that were given, and which of them stood in files. */
export function givenTexts(env: Env = process.env): {
  texts: Readonly<Partial<Record<string, string>>>;
  ofFiles: ReadonlySet<string>;
} {
  const { values } = readGiven(env);
  return { texts: values, ofFiles: new Set(Object.keys(values).filter((name) => !env[name])) };
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The variables that have no effect here: the server warns of them and starts. */
export const ignoredVariables = (env: Env = process.env): string[] => ignoredTracing(env);

function refuseUnknown(env: Env, problems: Given['problems']): void {
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  for (const name of Object.keys(env).filter((one) => OUR_PREFIX.test(one) && !SERVICE_LINK.test(one))) {
    if (known.has(name)) continue;
    problems.set(name, `${name} is not a variable of this server: correct its name or remove it`);
  }
}

/** With this variable Node.js accepts any certificate, also of an attacker between us and a provider, a database or Vault. */
function refuseUnverifiedTls(env: Env, problems: Given['problems']): void {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
  if (env[name] === '0') problems.set(name, `${name} is not valid: in live certificates are verified: remove it`);
}

/** One line: the variable, what would be valid, and its purpose. Never its value, which may be a secret. */
function refusal(name: string, why: string, given: Given['values']): string {
  const state = given[name] === undefined ? 'missing' : 'not valid';
  return `${name} is ${state}: ${why} (${shapes[name]?.description})`;
}

/** The lines in the order of the configuration guide, then those of unknown variables. */
function inOrder(problems: Given['problems']): string[] {
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...problems].toSorted(([a], [b]) => place(a) - place(b)).map(([, line]) => line);
}
