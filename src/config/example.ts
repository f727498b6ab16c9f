import { version } from '../version.ts';
import { defaultsOf } from './defaults.ts';
import { ConfigError, readVariables } from './environment.ts';
import { newSecrets } from './load-config.ts';
import { defaultTextOf, purposeOf, validOf, variableNames } from './settings.ts';
import { realProviders, type VariableName, type Variables } from './variables.ts';

type Environment = Variables['ENVIRONMENT'];
type Values = Partial<Record<VariableName, string>>;

/** Where the operator finds a value. */
const howTo: Values = {
  PUBLIC_URL: 'https, as your users reach it',
  DATABASE_URL:
    'e.g. postgresql://paytag_server:password@db.example.com/paytag?sslmode=verify-full; "paytag migrate", given DATABASE_OWNER_URL, makes this login',
  OPERATOR_TOKEN: 'make it by: openssl rand -hex 32',
  MASTER_KEY: 'keep a copy apart from the database, which cannot be read without it',
  APPROVAL_ABOVE: 'e.g. 1000000',
  NUBAN_INSTITUTION_CODE: 'the Central Bank of Nigeria gave it to you',
  BVN_DOJAH_APP_ID: 'the dashboard of Dojah shows it',
  BVN_DOJAH_SECRET_KEY: 'the dashboard of Dojah shows it',
  BANK_PAYSTACK_SECRET_KEY: 'the dashboard of Paystack shows it',
  PAYOUT_PAYSTACK_SECRET_KEY: 'the dashboard of Paystack shows it',
  INBOUND_PAYSTACK_SECRET_KEY: 'the dashboard of Paystack shows it',
  MESSAGING_TERMII_URL: 'the dashboard of Termii shows it',
  MESSAGING_TERMII_API_KEY: 'the dashboard of Termii shows it',
  MESSAGING_TERMII_SENDER_ID: 'as Termii has approved it, e.g. PayTag',
  EMAIL_SMTP_URL: 'e.g. smtp://user:password@mail.example.com:587',
};

/** Values that live requires and that are the same everywhere. */
const ofLive: Values = {
  OPERATOR_PORT: '3001',
  METRICS_PORT: '9464',
  ...Object.fromEntries(realProviders.map(({ kind, name }) => [kind, name])),
};

/**
 * A `.env` for an environment: each variable that must be set and where its value comes from, then the others with their defaults,
 * commented out. The sandbox is the embedded one, which creates its own secrets. Filled in, the file is a valid configuration.
 */
export function exampleOf(environment: Environment): string {
  const given: Values = { ENVIRONMENT: environment, ...(environment === 'live' ? ofLive : {}) };
  const missing = new Set(missingBeside(given));
  const mustBeSet = variableNames.filter((name) => name in given || missing.has(name));
  const defaults = defaultsOf(environment, environment === 'sandbox');
  return [
    `# PayTag ${version}, ${environment}. Give each variable of the first part a value; "paytag config check" says what is missing.`,
    '# A value may also stand in a file: give its path in the variable with _FILE behind its name.',
    '',
    '# Must be set',
    ...mustBeSet.flatMap((name) => ['', ...about(name), `${name}=${given[name] ?? ''}`]),
    '',
    '# May be set: here with the defaults',
    ...variableNames
      .filter((name) => !mustBeSet.includes(name))
      .flatMap((name) => ['', ...about(name), `# ${name}=${defaults[name] ?? defaultTextOf(name) ?? ''}`]),
  ].join('\n');
}

function missingBeside(given: Values): readonly string[] {
  try {
    readVariables(newSecrets(), given);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.variables;
    throw error;
  }
}

const about = (name: VariableName): string[] => [
  `# ${purposeOf(name)}`,
  `# ${validOf(name)}${howTo[name] === undefined ? '' : `; ${howTo[name]}`}`,
];
