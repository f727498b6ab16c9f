import type { Brand } from '#lib/brand.ts';
import type { Charge } from '#modules/ledger';
import { type EmvSettings, emvSettingsOf } from './emv.ts';
import { type Env, readVariables } from './environment.ts';
import { brandOf } from './institution.ts';
import {
  type ProviderSettings,
  providerSettingsOf,
  type RootKeySettings,
  rootKeySettingsOf,
} from './provider-settings.ts';
import { type Setting, settingsOf } from './settings.ts';
import { type TracingConfig, tracingOf } from './tracing.ts';
import type { Variables } from './variables.ts';

export type Environment = Variables['ENVIRONMENT'];

/** The configuration of this process, in the words of the rooms that take a part of it. `variables.ts` says what each value is for. */
export interface Config {
  readonly environment: Environment;
  /** True without DATABASE_URL: the sandbox with an embedded database. */
  readonly embedded: boolean;
  readonly role: Variables['ROLE'];
  readonly logLevel: Variables['LOG_LEVEL'];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** From the moment that readiness turns 503 until the ports close. */
  readonly shutdownDelayMs: number;
  /** How long the event loop may be blocked before the process ends. */
  readonly eventLoopStallMaxS: number;
  /** Undefined: on the main port. */
  readonly operatorPort: number | undefined;
  readonly metricsPort: number | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  /** In kobo; undefined: no approvals. */
  readonly approvalAbove: bigint | undefined;
  readonly trustedProxies: readonly string[];
  /** Origin of the links we hand out, and issuer of our tokens. */
  readonly publicUrl: string;
  readonly databaseUrl: string | undefined;
  /** As the role that owns the tables. */
  readonly databaseOwnerUrl: string | undefined;
  /** Without the pooler of `databaseUrl`; undefined: there is no pooler. */
  readonly databaseDirectUrl: string | undefined;
  readonly databasePrepare: boolean;
  /** A standby; undefined: there is none. */
  readonly databaseReadUrl: string | undefined;
  readonly migrate: Variables['MIGRATE'];
  readonly databasePoolMax: number;
  readonly redisUrl: string | undefined;
  /** Undefined in a process without the operator API. */
  readonly operatorToken: string | undefined;
  readonly rootKey: RootKeySettings;
  readonly applicationRegistration: Variables['APPLICATION_REGISTRATION'];
  /** Tags of one application; 0: any number. */
  readonly applicationTagsMax: number;
  readonly nubanInstitutionCode: string;
  /** How the institution that runs this server presents itself. */
  readonly brand: Brand;
  /** Undefined: there are no EMVCo QR codes. */
  readonly emv: EmvSettings | undefined;
  readonly tokens: { readonly customerTtlS: number; readonly applicationTtlS: number; readonly authCodeTtlS: number };
  readonly operators: { readonly tokenTtlD: number };
  readonly webhooks: {
    readonly backoff: { readonly baseMs: number; readonly jitter: number };
    readonly timeoutMs: number;
    readonly allowedCidrs: readonly string[];
    readonly replayFailed: boolean;
    readonly wellAfterS: number;
    /** Shown to receivers; empty: none are. */
    readonly sourceAddresses: readonly string[];
    readonly secretOverlapH: number;
    /** 0: never. */
    readonly autoPauseAfterH: number;
    readonly retentionD: number;
    /** 0: for ever. */
    readonly failedRetentionD: number;
    /** 0: never. */
    readonly pendingRetentionD: number;
    /** 0: for ever. */
    readonly deliveryRetentionD: number;
  };
  /** Requests that run at the same time. */
  readonly requestsRunningMax: number;
  /** 0: any number. */
  readonly limits: {
    readonly callsPerS: number;
    readonly resolvesPerS: number;
    readonly bvnsPerD: number;
    readonly unknownBvnsPerD: number;
    readonly registrationsPerH: number;
    readonly webhookTestsPerM: number;
    readonly verifyTagsPerM: number;
    readonly wrongOperatorTokensPerM: number;
    readonly revealsPerH: number;
    readonly findsPerH: number;
    readonly loginsPerM: number;
    readonly failedLoginsPerH: number;
    readonly codesPerD: number;
    readonly wrongCodesPerD: number;
    readonly messagesPerD: number;
    readonly wrongProofsPerH: number;
  };
  readonly payouts: {
    /** Delay before the provider is first polled about a payout of unknown outcome; doubles with each poll. */
    readonly verifyBaseMs: number;
    /** Afterwards a payout that the provider does not know counts as never sent. */
    readonly notFoundAfterMs: number;
    /** Longer than any request to the provider: a worker without a report by then counts as dead. */
    readonly leaseMs: number;
  };
  readonly inbound: {
    /** Longer than the requests for an account number take: a worker without a report by then counts as dead. */
    readonly leaseMs: number;
  };
  readonly fees: {
    readonly walletCredit: Charge;
    readonly walletDebit: Charge;
    readonly gateway: Charge;
    readonly terminal: Charge;
    readonly transfer: Charge;
    readonly payout: Charge;
    readonly switch: Charge;
    readonly commission: Charge;
    readonly stampDuty: Charge;
  };
  /** In minor units, by tier. */
  readonly dailyLimits: Readonly<Record<1 | 2 | 3, bigint>>;
  /** Countries whose mobile numbers may get messages, by ISO 3166. */
  readonly messagingCountries: readonly string[];
  readonly providers: ProviderSettings;
  /** All variables with their sources, for display. */
  readonly settings: readonly Setting[];
}

/**
 * Reads the configuration from the environment.
 *
 * @param generated secrets that the embedded sandbox made for itself; ignored when DATABASE_URL is given
 * @throws ConfigError naming every variable that is missing, unknown or not valid, what it is for, and what would be valid
 */
export function readConfig(generated?: Record<string, string>, env?: Env): Config {
  const read = readVariables(generated, env);
  return { ...configOf(read), settings: settingsOf(read, generated, env) };
}

function configOf(read: Variables): Omit<Config, 'settings'> {
  return {
    environment: read.ENVIRONMENT,
    embedded: read.embedded,
    role: read.ROLE,
    logLevel: read.LOG_LEVEL,
    dataDir: read.DATA_DIR,
    host: read.HOST,
    port: read.PORT,
    shutdownDelayMs: read.SHUTDOWN_DELAY_S * 1000,
    eventLoopStallMaxS: read.EVENT_LOOP_STALL_MAX_S,
    operatorPort: read.OPERATOR_PORT,
    metricsPort: read.METRICS_PORT,
    tracing: tracingOf(read),
    approvalAbove: read.APPROVAL_ABOVE,
    trustedProxies: read.TRUSTED_PROXIES,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    databaseUrl: read.DATABASE_URL,
    databaseOwnerUrl: read.DATABASE_OWNER_URL,
    databaseDirectUrl: read.DATABASE_DIRECT_URL,
    databaseReadUrl: read.DATABASE_READ_URL,
    databasePrepare: read.DATABASE_PREPARE === 'on',
    migrate: read.MIGRATE,
    databasePoolMax: read.DATABASE_POOL_MAX,
    redisUrl: read.REDIS_URL,
    operatorToken: read.OPERATOR_TOKEN,
    rootKey: rootKeySettingsOf(read),
    applicationRegistration: read.APPLICATION_REGISTRATION,
    applicationTagsMax: read.APPLICATION_TAGS_MAX,
    nubanInstitutionCode: read.NUBAN_INSTITUTION_CODE,
    brand: brandOf(read),
    emv: emvSettingsOf(read),
    tokens: {
      customerTtlS: read.CUSTOMER_TOKEN_TTL_S,
      applicationTtlS: read.APPLICATION_TOKEN_TTL_S,
      authCodeTtlS: read.AUTH_CODE_TTL_S,
    },
    operators: { tokenTtlD: read.OPERATOR_TOKEN_TTL_D },
    webhooks: {
      backoff: { baseMs: read.WEBHOOK_BACKOFF_BASE_MS, jitter: read.WEBHOOK_BACKOFF_JITTER },
      timeoutMs: read.WEBHOOK_TIMEOUT_MS,
      allowedCidrs: read.WEBHOOK_ALLOWED_CIDRS,
      replayFailed: read.WEBHOOK_REPLAY_FAILED === 'on',
      wellAfterS: read.WEBHOOK_WELL_AFTER_S,
      sourceAddresses: read.WEBHOOK_SOURCE_ADDRESSES,
      secretOverlapH: read.WEBHOOK_SECRET_OVERLAP_H,
      autoPauseAfterH: read.WEBHOOK_AUTO_PAUSE_AFTER_H,
      retentionD: read.WEBHOOK_RETENTION_D,
      failedRetentionD: read.WEBHOOK_FAILED_RETENTION_D,
      pendingRetentionD: read.WEBHOOK_PENDING_RETENTION_D,
      deliveryRetentionD: read.WEBHOOK_DELIVERY_RETENTION_D,
    },
    requestsRunningMax: read.REQUESTS_RUNNING_MAX,
    limits: {
      callsPerS: read.RATE_LIMIT_CALLS_PER_S,
      resolvesPerS: read.RATE_LIMIT_RESOLVES_PER_S,
      bvnsPerD: read.RATE_LIMIT_BVNS_PER_D,
      unknownBvnsPerD: read.RATE_LIMIT_UNKNOWN_BVNS_PER_D,
      registrationsPerH: read.RATE_LIMIT_REGISTRATIONS_PER_H,
      webhookTestsPerM: read.RATE_LIMIT_WEBHOOK_TESTS_PER_M,
      verifyTagsPerM: read.RATE_LIMIT_VERIFY_TAGS_PER_M,
      wrongOperatorTokensPerM: read.RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M,
      revealsPerH: read.RATE_LIMIT_REVEALS_PER_H,
      findsPerH: read.RATE_LIMIT_FINDS_PER_H,
      loginsPerM: read.RATE_LIMIT_LOGINS_PER_M,
      failedLoginsPerH: read.RATE_LIMIT_FAILED_LOGINS_PER_H,
      codesPerD: read.RATE_LIMIT_CODES_PER_D,
      wrongCodesPerD: read.RATE_LIMIT_WRONG_CODES_PER_D,
      messagesPerD: read.RATE_LIMIT_MESSAGES_PER_D,
      wrongProofsPerH: read.RATE_LIMIT_WRONG_PROOFS_PER_H,
    },
    fees: {
      walletCredit: read.FEE_PARTNER_WALLET_CREDIT,
      walletDebit: read.FEE_PARTNER_WALLET_DEBIT,
      gateway: read.FEE_PARTNER_GATEWAY,
      terminal: read.FEE_PARTNER_TERMINAL,
      transfer: read.FEE_TRANSFER,
      payout: read.FEE_PAYOUT,
      switch: read.FEE_SWITCH,
      commission: read.FEE_COMMISSION,
      stampDuty: read.FEE_STAMP_DUTY,
    },
    payouts: {
      verifyBaseMs: read.PAYOUT_VERIFY_BASE_MS,
      notFoundAfterMs: read.PAYOUT_NOT_FOUND_AFTER_S * 1000,
      leaseMs: 2 * read.PAYOUT_TIMEOUT_MS + 1000,
    },
    inbound: { leaseMs: 3 * read.INBOUND_TIMEOUT_MS + 1000 },
    dailyLimits: { 1: read.DAILY_LIMIT_TIER_1, 2: read.DAILY_LIMIT_TIER_2, 3: read.DAILY_LIMIT_TIER_3 },
    messagingCountries: read.MESSAGING_COUNTRIES,
    providers: providerSettingsOf(read),
  };
}
