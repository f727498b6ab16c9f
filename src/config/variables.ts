import { z } from 'zod';
import { emvVariables } from './emv.ts';
import {
  addressesOrRanges,
  addressRanges,
  charge,
  choice,
  countries,
  integer,
  matching,
  naira,
  origin,
  secret,
  url,
} from './formats.ts';
import { institutionVariables } from './institution.ts';
import { tracingVariables } from './tracing.ts';

export const MASTER_KEY_FORMAT = 'must be 64 hexadecimal characters, as "openssl rand -hex 32" prints';
const masterKey = matching(/^[0-9a-f]{64}$/i, MASTER_KEY_FORMAT).transform((hex) => Buffer.from(hex, 'hex'));
const pathSegment = matching(/^[\w-]{1,100}$/, 'must be letters, digits, - or _');
const rateLimit = integer(0, 1_000_000);
const timeout = integer(100, 60_000).default(10_000);

export const OPERATOR_TOKEN_FORMAT =
  'must have at least 32 characters, as a bearer token can carry them (letters, digits, - . _ ~ + /)';

/**
 * Every variable that the server reads. A name ends with its unit. The description is in refusals and in the configuration guide.
 * Defaults that depend on the environment are in `defaults.ts`.
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
    .describe(
      'origin of the links we hand out, and issuer of our tokens; without it http://localhost and the port; required in live',
    ),
  SHUTDOWN_DELAY_S: integer(0, 300).describe(
    'seconds that a server still takes requests after SIGTERM, while /health/ready is 503; longer than the load balancer takes to notice',
  ),
  EVENT_LOOP_STALL_MAX_S: integer(1, 600)
    .default(30)
    .describe(
      'seconds that the event loop may be blocked; then the process logs what blocked it and ends, to be restarted',
    ),
  ROLE: choice('all', 'api', 'worker').default('all').describe('which part of the service this process runs'),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .describe('how much is logged'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'a postgresql:// URL')
    .optional()
    .describe('the PostgreSQL 18 database, with the login of the server; without it an embedded one is started'),
  DATABASE_OWNER_URL: url(/^postgres(ql)?$/, 'a postgresql:// URL')
    .optional()
    .describe(
      'the same database with the login of the role that owns the tables and migrates them; without it DATABASE_URL is both',
    ),
  DATABASE_DIRECT_URL: url(/^postgres(ql)?$/, 'a postgresql:// URL')
    .optional()
    .describe(
      'the same database without the pooler (PgBouncer in transaction mode) of DATABASE_URL; not given: there is no pooler',
    ),
  DATABASE_READ_URL: url(/^postgres(ql)?$/, 'a postgresql:// URL')
    .optional()
    .describe(
      'a standby of the database, for lists, statements, operators’ reads and lookups of tags; not given: everything is read from DATABASE_URL',
    ),
  DATABASE_PREPARE: choice('on', 'off')
    .default('on')
    .describe('whether statements are prepared; off for a pooler that does not track them (PgBouncer before 1.21)'),
  MIGRATE: choice('on-start', 'never').describe(
    'whether a server applies pending migrations when it starts; with never, "paytag migrate" does so before',
  ),
  REQUESTS_RUNNING_MAX: integer(16, 10_000)
    .default(96)
    .describe('requests that a process runs at the same time; others wait for up to a second, then they are refused'),
  DATABASE_POOL_MAX: integer(2, 200).default(8).describe('greatest number of pooled connections to the database'),
  REDIS_URL: url(/^rediss?$/, 'a redis:// URL')
    .optional()
    .describe('the Redis of the job queue and the rate limits; without it both are on PostgreSQL'),
  DATA_DIR: z.string().default('.data').describe('folder of the embedded database, its secrets and its demo'),
  OPERATOR_TOKEN: matching(/^[\w.~+/-]{32,}=*$/, OPERATOR_TOKEN_FORMAT)
    .optional()
    .describe('bearer token of the operator API; a process without that API (ROLE=worker) needs none'),
  MASTER_KEY: masterKey
    .optional()
    .describe('root key: it wraps the keys that encrypt personal data and secrets in the database'),
  MASTER_KEY_PREVIOUS: masterKey
    .optional()
    .describe('the root key before MASTER_KEY, or before KMS_PROVIDER, until "paytag keys rewrap" has run'),
  KMS_PROVIDER: choice('none', 'vault').default('none').describe('where the root key is kept; none: it is MASTER_KEY'),
  KMS_TIMEOUT_MS: timeout.describe('milliseconds that Vault has to answer'),
  KMS_VAULT_URL: origin.optional().describe('address of Vault'),
  KMS_VAULT_TOKEN: secret.describe('our token at Vault, with the right to encrypt and decrypt with the key'),
  KMS_VAULT_MOUNT: pathSegment.default('transit').describe('where the transit engine is mounted'),
  KMS_VAULT_KEY: pathSegment.default('paytag').describe('name of the key in the transit engine'),
  ...tracingVariables,
  WEBHOOK_BACKOFF_BASE_MS: integer(1, 3_600_000).describe(
    'milliseconds between the first and the second attempt; each later wait is four times longer',
  ),
  WEBHOOK_BACKOFF_JITTER: matching(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(0.2)
    .describe('share of each wait by which it varies at random, up or down'),
  WEBHOOK_TIMEOUT_MS: integer(100, 60_000).default(10_000).describe('milliseconds that a receiver has to answer'),
  WEBHOOK_SECRET_OVERLAP_H: integer(0, 720)
    .default(24)
    .describe('hours after a rotation in which the old secret signs too'),
  WEBHOOK_AUTO_PAUSE_AFTER_H: integer(0, 8_760)
    .default(72)
    .describe('hours of failures, without one success, after which a receiver is paused; 0: never'),
  WEBHOOK_RETENTION_D: integer(1, 3_650)
    .default(30)
    .describe('days that bodies and attempts of delivered events are kept'),
  WEBHOOK_FAILED_RETENTION_D: integer(0, 3_650)
    .default(365)
    .describe('days that bodies and attempts of events that failed are kept; 0: for ever'),
  WEBHOOK_PENDING_RETENTION_D: integer(0, 3_650)
    .default(90)
    .describe('days after which a pending event, e.g. of a receiver that is paused or has no URL, is FAILED; 0: never'),
  WEBHOOK_DELIVERY_RETENTION_D: integer(0, 3_650)
    .default(365)
    .describe('days that the record of a delivery is kept after its body and attempts; 0: for ever'),
  WEBHOOK_ALLOWED_CIDRS: addressRanges.describe('private ranges a webhook may go to; refused in live'),
  WEBHOOK_REPLAY_FAILED: choice('on', 'off').describe(
    'whether FAILED deliveries are sent once more when their receiver has worked for WEBHOOK_WELL_AFTER_S',
  ),
  WEBHOOK_WELL_AFTER_S: integer(1, 86_400)
    .default(600)
    .describe('seconds without a failed attempt after which a receiver counts as working again'),
  WEBHOOK_SOURCE_ADDRESSES: addressesOrRanges
    .default([])
    .describe('addresses or ranges that webhooks are sent from, shown to their receivers'),
  OPERATOR_PORT: integer(0, 65_535)
    .optional()
    .describe('port of the operator API; without it that is on the main port; required in live'),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('port of the metrics; without it they are on the main port; required in live'),
  APPROVAL_ABOVE: naira
    .optional()
    .describe('amount above which an operator’s movement of money needs another operator’s approval; required in live'),
  TRUSTED_PROXIES: addressesOrRanges.default([]).describe('proxies whose X-Forwarded-For is trusted'),
  APPLICATION_REGISTRATION: choice('open', 'approval').describe(
    'whether a new application can be used at once, or only after the operator has approved it',
  ),
  APPLICATION_TAGS_MAX: rateLimit
    .default(10_000)
    .describe('tags that one application may have, with those that it closed in the last 90 days; 0: any number'),
  CUSTOMER_TOKEN_TTL_S: integer(60, 86_400).default(1800).describe('seconds that a customer token is valid'),
  APPLICATION_TOKEN_TTL_S: integer(60, 86_400).default(3600).describe('seconds that an application token is valid'),
  OPERATOR_TOKEN_TTL_D: integer(1, 365)
    .default(90)
    .describe('days that the token of an operator is valid; OPERATOR_TOKEN does not expire'),
  AUTH_CODE_TTL_S: integer(10, 600).default(120).describe('seconds that an authorization code is valid'),
  RATE_LIMIT_CALLS_PER_S: rateLimit.describe(
    'authenticated calls of one credential in a second, counted by each process; 0: any number',
  ),
  RATE_LIMIT_RESOLVES_PER_S: rateLimit.describe(
    'tags one address may look up in a second, counted by each process; a miss counts as twenty; 0: any number',
  ),
  RATE_LIMIT_BVNS_PER_D: rateLimit.describe('BVNs that a partner may try in a day, known ones too; 0: any number'),
  RATE_LIMIT_UNKNOWN_BVNS_PER_D: rateLimit.describe(
    'unknown or mismatched BVNs that a partner may try in a day; 0: any number',
  ),
  RATE_LIMIT_REGISTRATIONS_PER_H: rateLimit.describe('applications one address may register in an hour; 0: any number'),
  RATE_LIMIT_WEBHOOK_TESTS_PER_M: rateLimit.describe('test events a partner may send in a minute; 0: any number'),
  RATE_LIMIT_VERIFY_TAGS_PER_M: rateLimit.describe('PayTags a partner may look up in a minute; 0: any number'),
  RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: rateLimit
    .default(10)
    .describe('wrong operator tokens that one address may send in a minute; 0: any number'),
  RATE_LIMIT_REVEALS_PER_H: rateLimit.describe(
    'customers whom one operator may reveal or export in an hour, the same one again included; 0: any number',
  ),
  RATE_LIMIT_FINDS_PER_H: rateLimit.describe('searches for customers by one operator in an hour; 0: any number'),
  RATE_LIMIT_LOGINS_PER_M: rateLimit
    .default(60)
    .describe('logins with one PayTag at one partner in a minute, also with the right password; 0: any number'),
  RATE_LIMIT_FAILED_LOGINS_PER_H: rateLimit
    .default(100)
    .describe(
      'failed logins at one partner in an hour, less one for each successful customer, before all logins there are slowed; 0: any number',
    ),
  RATE_LIMIT_CODES_PER_D: rateLimit
    .default(20)
    .describe(
      'one-time passwords that one partner or application may send a person in a day, and in all before the waits grow; 0: any number',
    ),
  RATE_LIMIT_WRONG_CODES_PER_D: rateLimit
    .default(20)
    .describe(
      'wrong one-time passwords of one person at one partner or application before the waits grow from an hour to a day; 0: any number',
    ),
  RATE_LIMIT_MESSAGES_PER_D: rateLimit.describe(
    'one-time passwords that one partner or application may send in a day; 0: any number',
  ),
  RATE_LIMIT_WRONG_PROOFS_PER_H: rateLimit
    .default(100)
    .describe(
      'wrong passwords and codes that one address may give on approval pages in an hour, before it is slowed; 0: any number',
    ),
  NUBAN_INSTITUTION_CODE: matching(/^(\d{3}|\d{6})$/, 'must be 3 digits (a bank) or 6 (another institution)').describe(
    'our CBN code, which goes into the check digit of account numbers',
  ),
  ...institutionVariables,
  ...emvVariables,
  FEE_PARTNER_WALLET_CREDIT: charge.describe('fee of a credit, taken from the float'),
  FEE_PARTNER_WALLET_DEBIT: charge.describe('fee of a debit, taken from what reaches the float'),
  FEE_PARTNER_GATEWAY: charge.describe('fee of a gateway payment, taken from what arrives'),
  FEE_PARTNER_TERMINAL: charge.describe('fee of a terminal payment, taken from what arrives'),
  FEE_TRANSFER: charge.describe('fee of a transfer between PayTags, paid by the sender'),
  FEE_PAYOUT: charge.describe('fee of a payout to a bank account, paid by the wallet on top'),
  FEE_SWITCH: charge.describe('fee of a transaction between tags, paid by the sender'),
  FEE_COMMISSION: charge.describe('commission on a gateway or terminal payment, taken from what arrives'),
  FEE_STAMP_DUTY: charge.describe(
    'stamp duty on money that arrives by transfer or account number, and on top of a payout',
  ),
  DAILY_LIMIT_TIER_1: naira.default(5_000_000n).describe('daily limit of a wallet without a verified BVN'),
  DAILY_LIMIT_TIER_2: naira.default(20_000_000n).describe('daily limit of a wallet with a verified BVN'),
  DAILY_LIMIT_TIER_3: naira.default(500_000_000n).describe('daily limit of a wallet that the operator put on tier 3'),
  BVN_PROVIDER: choice('simulator', 'dojah').describe('who verifies BVNs; in live no simulator'),
  BVN_TIMEOUT_MS: timeout.describe('milliseconds that the BVN register has to answer'),
  BVN_DOJAH_URL: origin.default('https://api.dojah.io').describe('address of Dojah'),
  BVN_DOJAH_APP_ID: secret.describe('our app id at Dojah'),
  BVN_DOJAH_SECRET_KEY: secret.describe('our secret key at Dojah'),
  BANK_PROVIDER: choice('simulator', 'paystack').describe(
    'who finds the owner’s name of a bank account; in live no simulator',
  ),
  BANK_TIMEOUT_MS: timeout.describe('milliseconds that the bank has to answer a name enquiry'),
  BANK_PAYSTACK_URL: origin.default('https://api.paystack.co').describe('address of Paystack'),
  BANK_PAYSTACK_SECRET_KEY: secret.describe('our secret key at Paystack'),
  PAYOUT_PROVIDER: choice('none', 'simulator', 'paystack').describe(
    'who sends payouts to bank accounts; in live no simulator',
  ),
  PAYOUT_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe('milliseconds that the provider of payouts has to answer'),
  PAYOUT_VERIFY_BASE_MS: integer(100, 600_000).describe(
    'milliseconds until the provider is first polled about a payout of unknown outcome; doubles with each poll',
  ),
  PAYOUT_NOT_FOUND_AFTER_S: integer(1, 86_400)
    .default(900)
    .describe('seconds after which a payout that the provider does not know counts as never sent'),
  PAYOUT_PAYSTACK_URL: origin.default('https://api.paystack.co').describe('address of Paystack'),
  PAYOUT_PAYSTACK_SECRET_KEY: secret.describe('our secret key at Paystack, for payouts'),
  INBOUND_PROVIDER: choice('none', 'simulator', 'paystack').describe(
    'who assigns account numbers to wallets; in live no simulator',
  ),
  INBOUND_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe('milliseconds that the provider of account numbers has to answer'),
  INBOUND_PAYSTACK_URL: origin.default('https://api.paystack.co').describe('address of Paystack'),
  INBOUND_PAYSTACK_SECRET_KEY: secret.describe('our secret key at Paystack, for account numbers'),
  INBOUND_PAYSTACK_BANK: choice('titan-paystack', 'wema-bank', 'test-bank')
    .default('titan-paystack')
    .describe('the bank of the account numbers, as Paystack calls it; test-bank with a test key'),
  MESSAGING_PROVIDER: choice('simulator', 'termii').describe(
    'who sends one-time passwords to phones; in live no simulator',
  ),
  MESSAGING_COUNTRIES: countries
    .default(['NG'])
    .describe('countries whose mobile numbers may be sent one-time passwords; no other phone is taken'),
  MESSAGING_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe('milliseconds that the provider has to accept a message'),
  MESSAGING_TERMII_URL: origin.optional().describe('address of Termii for our account, as its dashboard shows it'),
  MESSAGING_TERMII_API_KEY: secret.describe('our API key at Termii'),
  MESSAGING_TERMII_SENDER_ID: matching(/^[A-Za-z0-9 -]{3,11}$/, 'must have 3 to 11 letters, digits, spaces or hyphens')
    .optional()
    .describe('the sender that text messages show'),
  MESSAGING_TERMII_WHATSAPP_DEVICE: matching(/^[\x20-\x7e]{1,100}$/, 'must be the name of a device')
    .optional()
    .describe('the Termii device that WhatsApp messages come from; without it the sender id'),
  MESSAGING_TERMII_ROUTE: choice('dnd', 'generic')
    .default('dnd')
    .describe('route of text messages: dnd reaches every phone, at any hour'),
  EMAIL_PROVIDER: choice('simulator', 'smtp').describe('who sends e-mail; in live no simulator'),
  EMAIL_TIMEOUT_MS: timeout.describe('milliseconds that the mail server has to accept a message'),
  EMAIL_FROM: matching(
    /^([^\p{Cc}<>@",;]{1,64}<[^\s\p{Cc}<>@",;]+@[^\s\p{Cc}<>@",;]+>|[^\s\p{Cc}<>@",;]+@[^\s\p{Cc}<>@",;]+)$/u,
    'must be an address, e.g. PayTag <no-reply@example.com>',
  )
    .optional()
    .describe('sender of our e-mail'),
  EMAIL_SMTP_URL: url(/^smtps?$/, 'an smtp:// or smtps:// URL')
    .optional()
    .describe('the mail server, with user and password if it asks for them'),
  EMAIL_SMTP_TLS: choice('required', 'none')
    .default('required')
    .describe('whether mail to an smtp:// server must be encrypted by STARTTLS; none sends it in the clear'),
  EMAIL_SMTP_CA: matching(
    /^-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----\s*$/,
    'must be certificates in PEM',
  )
    .optional()
    .describe('the only certificate authority to accept for the mail server; not given: the public ones'),
});

/** The values of all variables, with defaults for those that were not given. */
export type Variables = Readonly<z.output<typeof variables>> & {
  /** True without DATABASE_URL: the sandbox with an embedded database. */
  readonly embedded: boolean;
};

export type VariableName = keyof typeof variables.shape;
type ProviderVariable =
  | 'BVN_PROVIDER'
  | 'BANK_PROVIDER'
  | 'PAYOUT_PROVIDER'
  | 'INBOUND_PROVIDER'
  | 'MESSAGING_PROVIDER'
  | 'EMAIL_PROVIDER';

/** The real provider of each kind, and the variables that it needs. */
export const realProviders: readonly { kind: ProviderVariable; name: string; needs: readonly VariableName[] }[] = [
  { kind: 'BVN_PROVIDER', name: 'dojah', needs: ['BVN_DOJAH_APP_ID', 'BVN_DOJAH_SECRET_KEY'] },
  { kind: 'BANK_PROVIDER', name: 'paystack', needs: ['BANK_PAYSTACK_SECRET_KEY'] },
  { kind: 'PAYOUT_PROVIDER', name: 'paystack', needs: ['PAYOUT_PAYSTACK_SECRET_KEY'] },
  { kind: 'INBOUND_PROVIDER', name: 'paystack', needs: ['INBOUND_PAYSTACK_SECRET_KEY'] },
  {
    kind: 'MESSAGING_PROVIDER',
    name: 'termii',
    needs: ['MESSAGING_TERMII_URL', 'MESSAGING_TERMII_API_KEY', 'MESSAGING_TERMII_SENDER_ID'],
  },
  { kind: 'EMAIL_PROVIDER', name: 'smtp', needs: ['EMAIL_SMTP_URL', 'EMAIL_FROM'] },
];
