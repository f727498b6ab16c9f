import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseCharge } from './charge.ts';

/** Of a form; a missing one is refused by telling the form. */
const formed = (pattern: RegExp, form: string) => z.string(form).regex(pattern, form);

const integer = (min: number, max: number) => {
  const range = `must be a whole number from ${min} to ${max}`;
  return formed(/^\d+$/, range).transform(Number).pipe(z.number().min(min, range).max(max, range));
};

const limit = integer(0, 1_000_000);

const list = (isMember: (part: string) => boolean, what: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .refine((parts) => parts.every(isMember), `must be ${what}, with commas between them`);
const isCidr = (part: string) => ipaddr.isValidCIDR(part);
const isCidrOrAddress = (part: string) => isCidr(part) || isIP(part) !== 0;

const choice = <const T extends readonly [string, ...string[]]>(...options: T) =>
  z.enum(options, { error: `must be one of ${options.join(', ')}` });

const url = (protocol: RegExp, what: string) => z.url({ protocol, error: `must be ${what}` });
const origin = url(/^https?$/, 'an origin, e.g. https://pay.example.com').refine(
  (text) => /^\w+:\/\/[^/?#@]+\/?$/.test(text),
  'must be an origin, e.g. https://pay.example.com, with nothing after it',
);

const naira = formed(/^\d{1,13}(\.\d{1,2})?$/, 'must be an amount in naira, with at most two decimals').transform(
  (text) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(2, '0'));
  },
);
const charge = z
  .string()
  .default('0')
  .transform((text, context) => {
    const parsed = parseCharge(text);
    if (parsed !== undefined) return parsed;
    context.addIssue('must be a charge, e.g. 25, 1.5% or 1.5%+100<=2000>=10000');
    return z.NEVER;
  });

const secret = formed(/^[\x21-\x7e]{4,500}$/, 'must be printable, without spaces').optional();
const timeout = integer(100, 60_000).default(10_000);

/**
 * Every variable the server reads. The unit is the last word of a name; the description says what it is for, and is
 * what a refusal tells. Defaults that depend on the environment stand in `assumed` below.
 */
export const variables = z.object({
  ENVIRONMENT: choice('sandbox', 'staging', 'live').describe(
    'which environment this is; the database is stamped with it',
  ),
  HOST: z.string().describe('address to listen on'),
  PORT: integer(0, 65_535).default(3000).describe('port to listen on'),
  PUBLIC_URL: origin
    .transform((text) => text.replace(/\/$/, ''))
    .optional()
    .describe('origin of the links we hand out, and issuer of our tokens; without it http://localhost and the port'),
  ROLE: choice('all', 'api', 'worker').default('all').describe('which part of the service this process runs'),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .describe('how much is logged'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'a postgresql:// URL')
    .optional()
    .describe('the PostgreSQL 18 database; without it an embedded one is started'),
  DATABASE_POOL_MAX: integer(2, 200).default(8).describe('most connections to the database'),
  REDIS_URL: url(/^rediss?$/, 'a redis:// URL')
    .optional()
    .describe('the Redis of the job queue and the rate limits; without it both are on PostgreSQL'),
  DATA_DIR: z.string().default('.data').describe('folder of the embedded database and the secrets made for it'),
  OPERATOR_TOKEN: formed(
    /^[\w.~+/-]{32,}=*$/,
    'must have at least 32 characters, as a bearer token can carry them (letters, digits, - . _ ~ + /)',
  ).describe('bearer token of the operator API'),
  MASTER_KEY: formed(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters, as "openssl rand -hex 32" prints')
    .transform((hex) => Buffer.from(hex, 'hex'))
    .describe('root of the keys that seal what the database holds'),
  WEBHOOK_BACKOFF_BASE_MS: integer(1, 3_600_000).describe(
    'delay before the second attempt; four times longer each time',
  ),
  WEBHOOK_BACKOFF_JITTER: formed(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(0.2)
    .describe('share of that delay by which it varies either way'),
  WEBHOOK_TIMEOUT_MS: integer(100, 60_000).default(10_000).describe('time a receiver has to answer'),
  WEBHOOK_SECRET_OVERLAP_H: integer(0, 720)
    .default(24)
    .describe('hours for which the secret before a rotation signs too'),
  WEBHOOK_AUTO_PAUSE_AFTER_H: integer(0, 8_760)
    .default(72)
    .describe('hours a receiver fails, without one success, until it is paused; 0: never'),
  WEBHOOK_RETENTION_D: integer(1, 3_650)
    .default(30)
    .describe('days that bodies and attempts of delivered events are kept'),
  WEBHOOK_FAILED_RETENTION_D: integer(0, 3_650)
    .default(365)
    .describe('days that bodies and attempts of events that failed are kept; 0: for ever'),
  WEBHOOK_ALLOWED_CIDRS: list(isCidr, 'address ranges, e.g. 10.0.0.0/8').describe(
    'private ranges a webhook may go to; refused in live',
  ),
  METRICS_PORT: integer(0, 65_535).optional().describe('port of the metrics; without it they are on the main port'),
  TRUSTED_PROXIES: list(isCidrOrAddress, 'addresses or ranges')
    .default([])
    .describe('proxies whose X-Forwarded-For counts'),
  APPLICATION_REGISTRATION: choice('open', 'approval').describe('whether a new application waits for the operator'),
  CUSTOMER_TOKEN_TTL_S: integer(60, 86_400).default(1800).describe('life of a customer token'),
  APPLICATION_TOKEN_TTL_S: integer(60, 86_400).default(3600).describe('life of an application token'),
  AUTH_CODE_TTL_S: integer(10, 600).default(120).describe('life of an authorization code'),
  RATE_LIMIT_CALLS_PER_S: limit.describe(
    'authenticated calls of one credential in a second, counted by each process; 0: any number',
  ),
  RATE_LIMIT_RESOLVES_PER_S: limit.describe(
    'tags one address may look up in a second, counted by each process; a miss counts as twenty; 0: any number',
  ),
  RATE_LIMIT_UNKNOWN_BVNS_PER_D: limit.describe(
    'BVNs that a partner may try in a day though nobody, or another person, has them; 0: any number',
  ),
  RATE_LIMIT_REGISTRATIONS_PER_H: limit.describe('applications one address may register in an hour; 0: any number'),
  RATE_LIMIT_WEBHOOK_TESTS_PER_M: limit.describe('test events a partner may send in a minute; 0: any number'),
  RATE_LIMIT_VERIFY_TAGS_PER_M: limit.describe('PayTags a partner may look up in a minute; 0: any number'),
  NUBAN_INSTITUTION_CODE: formed(/^(\d{3}|\d{6})$/, 'must be 3 digits (a bank) or 6 (another institution)').describe(
    'our CBN code, which goes into the check digit of account numbers',
  ),
  FEE_PARTNER_WALLET_CREDIT: charge.describe('fee of a credit, taken from the float'),
  FEE_PARTNER_WALLET_DEBIT: charge.describe('fee of a debit, taken from the float'),
  FEE_PARTNER_GATEWAY: charge.describe('fee of a gateway payment, taken from what arrives'),
  FEE_PARTNER_TERMINAL: charge.describe('fee of a terminal payment, taken from what arrives'),
  FEE_TRANSFER: charge.describe('fee of a transfer between PayTags, paid by the sender'),
  FEE_SWITCH: charge.describe('fee of a transaction between tags, paid by the sender'),
  FEE_COMMISSION: charge.describe('commission on a gateway or terminal payment, taken from what arrives'),
  FEE_STAMP_DUTY: charge.describe('stamp duty on money that arrives by transfer or account number'),
  DAILY_LIMIT_TIER_1: naira.default(5_000_000n).describe('daily limit without a verified BVN'),
  DAILY_LIMIT_TIER_2: naira.default(20_000_000n).describe('daily limit with a verified BVN'),
  DAILY_LIMIT_TIER_3: naira.default(500_000_000n).describe('daily limit by decision of the operator'),
  BVN_PROVIDER: choice('simulator', 'dojah').describe('who verifies BVNs'),
  BVN_TIMEOUT_MS: timeout.describe('time the BVN register has to answer'),
  BVN_DOJAH_URL: origin.default('https://api.dojah.io').describe('where Dojah is'),
  BVN_DOJAH_APP_ID: secret.describe('our app id at Dojah'),
  BVN_DOJAH_SECRET_KEY: secret.describe('our secret key at Dojah'),
  BANK_PROVIDER: choice('simulator', 'paystack').describe('who knows whose a bank account is'),
  BANK_TIMEOUT_MS: timeout.describe('time the bank has to answer a name enquiry'),
  BANK_PAYSTACK_URL: origin.default('https://api.paystack.co').describe('where Paystack is'),
  BANK_PAYSTACK_SECRET_KEY: secret.describe('our secret key at Paystack'),
  MESSAGING_PROVIDER: choice('simulator', 'termii').describe('who sends one-time passwords to phones'),
  MESSAGING_TIMEOUT_MS: timeout.describe('time the provider has to accept a message'),
  MESSAGING_TERMII_URL: origin.optional().describe('where Termii is for our account, as its dashboard says'),
  MESSAGING_TERMII_API_KEY: secret.describe('our API key at Termii'),
  MESSAGING_TERMII_SENDER_ID: formed(/^[A-Za-z0-9 -]{3,11}$/, 'must have 3 to 11 letters, digits, spaces or hyphens')
    .optional()
    .describe('the sender that text messages show'),
  MESSAGING_TERMII_WHATSAPP_DEVICE: formed(/^[\x20-\x7e]{1,100}$/, 'must be the name of a device')
    .optional()
    .describe('the Termii device that WhatsApp messages come from; without it the sender id'),
  MESSAGING_TERMII_ROUTE: choice('dnd', 'generic')
    .default('dnd')
    .describe('route of text messages: dnd reaches every phone, at any hour'),
  EMAIL_PROVIDER: choice('simulator', 'smtp').describe('who sends e-mail'),
  EMAIL_TIMEOUT_MS: timeout.describe('time the mail server has to accept a message'),
  EMAIL_FROM: formed(
    /^([^\p{Cc}<>@",;]{1,64}<[^\s\p{Cc}<>@",;]+@[^\s\p{Cc}<>@",;]+>|[^\s\p{Cc}<>@",;]+@[^\s\p{Cc}<>@",;]+)$/u,
    'must be an address, e.g. PayTag <no-reply@example.com>',
  )
    .optional()
    .describe('sender of our e-mail'),
  EMAIL_SMTP_URL: url(/^smtps?$/, 'an smtp:// or smtps:// URL')
    .optional()
    .describe('the mail server, with user and password where it asks for them'),
  EMAIL_SMTP_TLS: choice('required', 'none')
    .default('required')
    .describe('whether an smtp:// server is spoken to without TLS'),
  EMAIL_SMTP_CA: formed(/^-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----\s*$/, 'must be certificates in PEM')
    .optional()
    .describe('certificate authority of the mail server, where it is not a public one'),
});

export type VariableName = keyof typeof variables.shape;
type Provider = 'BVN_PROVIDER' | 'BANK_PROVIDER' | 'MESSAGING_PROVIDER' | 'EMAIL_PROVIDER';

/** The real provider of each kind, and the variables without which it cannot be reached. */
export const realProviders: readonly { kind: Provider; name: string; needs: readonly VariableName[] }[] = [
  { kind: 'BVN_PROVIDER', name: 'dojah', needs: ['BVN_DOJAH_APP_ID', 'BVN_DOJAH_SECRET_KEY'] },
  { kind: 'BANK_PROVIDER', name: 'paystack', needs: ['BANK_PAYSTACK_SECRET_KEY'] },
  {
    kind: 'MESSAGING_PROVIDER',
    name: 'termii',
    needs: ['MESSAGING_TERMII_URL', 'MESSAGING_TERMII_API_KEY', 'MESSAGING_TERMII_SENDER_ID'],
  },
  { kind: 'EMAIL_PROVIDER', name: 'smtp', needs: ['EMAIL_SMTP_URL', 'EMAIL_FROM'] },
];

/** What is assumed for a variable that was not given. Live assumes no secret, no simulator and no test value. */
export function assumed(environment: string, embedded: boolean): Record<string, string> {
  const anywhere = {
    HOST: embedded ? '127.0.0.1' : '0.0.0.0',
    WEBHOOK_BACKOFF_BASE_MS: embedded ? '1000' : '30000',
    WEBHOOK_ALLOWED_CIDRS: embedded ? '127.0.0.0/8,::1/128' : '',
  };
  if (environment === 'live') {
    return {
      ...anywhere,
      APPLICATION_REGISTRATION: 'approval',
      RATE_LIMIT_CALLS_PER_S: '1000',
      RATE_LIMIT_RESOLVES_PER_S: '100',
      RATE_LIMIT_UNKNOWN_BVNS_PER_D: '100',
      RATE_LIMIT_REGISTRATIONS_PER_H: '10',
      RATE_LIMIT_VERIFY_TAGS_PER_M: '600',
      RATE_LIMIT_WEBHOOK_TESTS_PER_M: '60',
    };
  }
  return {
    ...anywhere,
    RATE_LIMIT_CALLS_PER_S: '0',
    RATE_LIMIT_RESOLVES_PER_S: '0',
    RATE_LIMIT_UNKNOWN_BVNS_PER_D: '0',
    RATE_LIMIT_REGISTRATIONS_PER_H: '0',
    RATE_LIMIT_VERIFY_TAGS_PER_M: '0',
    RATE_LIMIT_WEBHOOK_TESTS_PER_M: '0',
    APPLICATION_REGISTRATION: 'open',
    NUBAN_INSTITUTION_CODE: '999',
    BVN_PROVIDER: 'simulator',
    BANK_PROVIDER: 'simulator',
    MESSAGING_PROVIDER: 'simulator',
    EMAIL_PROVIDER: 'simulator',
  };
}
