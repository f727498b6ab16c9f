import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { defaultsOf } from './defaults.ts';
import { realProviders, variables } from './variables.ts';

/** A variable that is missing, unknown or out of range. `message` is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The values of all variables, with defaults for those that were not given. */
export type Variables = Readonly<z.output<typeof variables>> & {
  /** True without DATABASE_URL: the sandbox with an embedded database. */
  readonly embedded: boolean;
};

export type Env = Readonly<Record<string, string | undefined>>;
const shapes: Readonly<Record<string, z.ZodType>> = variables.shape;
const names = Object.keys(shapes);

/** How our variables begin. An unknown one that begins so is a misspelling of ours, not another program's variable. */
const OUR_PREFIX =
  /^((APPLICATION|AUTH_CODE|BANK|BVN|CUSTOMER|DAILY_LIMIT|DATA|DATABASE|EMAIL|FEE|LOG|MESSAGING|METRICS|MIGRATE|NUBAN|PUBLIC|RATE_LIMIT|REDIS|TRUSTED|WEBHOOK)_|ENVIRO|MASTER_?KEY|OPERATOR_?TOKEN)/;
/** How variables end that Kubernetes and Docker set by themselves for a service called `redis` or `database`. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/;

/**
 * The folder of the embedded sandbox's database and secrets; undefined when DATABASE_URL is given.
 *
 * @throws ConfigError when it is missing in staging or live, which have no embedded database
 */
export function embeddedDataDir(env: Env = process.env): string | undefined {
  const { DATABASE_URL, ENVIRONMENT = 'sandbox', DATA_DIR = '.data' } = readGiven(env);
  if (DATABASE_URL !== undefined) return undefined;
  if (ENVIRONMENT === 'staging' || ENVIRONMENT === 'live') {
    throw refusal('DATABASE_URL', `the embedded database is for the sandbox, not for ${ENVIRONMENT}`, {});
  }
  return DATA_DIR;
}

/**
 * Reads all variables from the environment.
 *
 * @param generated secrets that the embedded sandbox made for itself; ignored when DATABASE_URL is given
 * @throws ConfigError naming the first variable that is missing, unknown or out of range, and what would be valid
 */
export function readVariables(generated: Record<string, string> = {}, env: Env = process.env): Variables {
  refuseUnknown(env);
  const embedded = embeddedDataDir(env) !== undefined;
  const given = { ...(embedded ? { ENVIRONMENT: 'sandbox', ...generated } : {}), ...readGiven(env) };
  const parsed = variables.safeParse({ ...defaultsOf(given.ENVIRONMENT ?? '', embedded), ...given });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refusal(String(issue?.path[0]), issue?.message ?? '', given);
  }
  const read = { ...parsed.data, embedded };
  refuseIncomplete(read, given);
  refuseInLive(read);
  return read;
}

/** The variables that were given. An empty one counts as absent. `NAME_FILE` names a file that holds `NAME`, e.g. a container's secret. */
function readGiven(env: Env): Partial<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    const file = env[`${name}_FILE`];
    if (value && file) throw new ConfigError(`${name} and ${name}_FILE are both set: give one of them`);
    if (value) given[name] = value;
    if (file) given[name] = readSecret(name, file);
  }
  return given;
}

function readSecret(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new ConfigError(`${name}_FILE is not valid: ${file} cannot be read`, { cause });
  }
  if (text === '') throw new ConfigError(`${name}_FILE is not valid: ${file} is empty`);
  return text;
}

function refuseUnknown(env: Env): void {
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  const ours = Object.keys(env).filter((name) => OUR_PREFIX.test(name) && !SERVICE_LINK.test(name));
  const unknown = ours.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ConfigError(`${unknown} is not a variable of this server: correct its name or remove it`);
  }
}

/** One line: the variable, what would be valid, and what it is for. Never its value, which may be a secret. */
function refusal(name: string, why: string, given: Partial<Record<string, string>>): ConfigError {
  const state = given[name] === undefined ? 'missing' : 'not valid';
  return new ConfigError(`${name} is ${state}: ${why} (${shapes[name]?.description})`);
}

/** @throws ConfigError for a chosen provider that lacks one of its variables, and for the owner's login without the server's */
function refuseIncomplete(read: Variables, given: Partial<Record<string, string>>): void {
  if (read.DATABASE_OWNER_URL !== undefined && read.embedded) {
    throw refusal('DATABASE_URL', 'DATABASE_OWNER_URL is given, which is the same database', given);
  }
  for (const { kind, name, needs } of realProviders) {
    const missing = read[kind] === name ? needs.find((variable) => read[variable] === undefined) : undefined;
    if (missing !== undefined) throw refusal(missing, `${kind}=${name} needs it`, given);
  }
}

/** @throws ConfigError for a value that live does not allow */
function refuseInLive(read: Variables): void {
  if (read.ENVIRONMENT !== 'live') return;
  for (const { kind } of realProviders) {
    if (read[kind] === 'simulator') throw new ConfigError(`${kind} is not valid: a simulator never runs in live`);
  }
  for (const name of ['BVN_DOJAH_URL', 'BANK_PAYSTACK_URL', 'MESSAGING_TERMII_URL'] as const) {
    if (read[name]?.startsWith('http:')) throw new ConfigError(`${name} is not valid: in live it must be https`);
  }
  if (read.EMAIL_SMTP_TLS === 'none') {
    throw new ConfigError('EMAIL_SMTP_TLS is not valid: in live no mail is sent in the clear');
  }
  if (read.WEBHOOK_ALLOWED_CIDRS.length > 0) {
    throw new ConfigError('WEBHOOK_ALLOWED_CIDRS is not valid: in live no webhook goes to a private address');
  }
}
