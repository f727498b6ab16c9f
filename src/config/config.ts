import type { Charge } from '#modules/ledger';
import { type Env, readVariables, type Variables } from './environment.ts';

export type Environment = Variables['ENVIRONMENT'];

/** Where the provider of one kind is and what it is told, or the simulator in its place. */
type Provider<Real> = { readonly provider: 'simulator' } | ({ readonly timeoutMs: number } & Real);

export interface ProviderSettings {
  readonly bvn: Provider<{ provider: 'dojah'; url: string; appId: string; secretKey: string }>;
  readonly bank: Provider<{ provider: 'paystack'; url: string; secretKey: string }>;
  readonly phone: Provider<{
    provider: 'termii';
    url: string;
    apiKey: string;
    senderId: string;
    whatsappDevice: string;
    route: 'dnd' | 'generic';
  }>;
  readonly email: Provider<{
    provider: 'smtp';
    url: string;
    tls: 'required' | 'none';
    ca: string | undefined;
    from: string;
  }>;
}

/** What this process was told to be, in the words of the rooms that are given a part of it. variables.ts says what each is for. */
export interface Config {
  readonly environment: Environment;
  /** The embedded sandbox: no database was named. */
  readonly embedded: boolean;
  readonly role: Variables['ROLE'];
  readonly logLevel: Variables['LOG_LEVEL'];
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number | undefined;
  readonly trustedProxies: readonly string[];
  /** Origin of the links we hand out, and the issuer of our tokens. */
  readonly publicUrl: string;
  readonly databaseUrl: string | undefined;
  readonly databasePoolMax: number;
  readonly redisUrl: string | undefined;
  readonly operatorToken: string;
  readonly masterKey: Buffer;
  readonly applicationRegistration: Variables['APPLICATION_REGISTRATION'];
  readonly nubanInstitutionCode: string;
  readonly tokens: { readonly customerTtlS: number; readonly applicationTtlS: number; readonly authCodeTtlS: number };
  readonly webhooks: {
    readonly backoff: { readonly baseMs: number; readonly jitter: number };
    readonly timeoutMs: number;
    readonly allowedCidrs: readonly string[];
    readonly secretOverlapH: number;
    /** 0: never. */
    readonly autoPauseAfterH: number;
    readonly retentionD: number;
    /** 0: for ever. */
    readonly failedRetentionD: number;
  };
  /** 0: any number. */
  readonly limits: {
    readonly callsPerS: number;
    readonly resolvesPerS: number;
    readonly unknownBvnsPerD: number;
    readonly registrationsPerH: number;
    readonly webhookTestsPerM: number;
    readonly verifyTagsPerM: number;
  };
  readonly fees: {
    readonly walletCredit: Charge;
    readonly walletDebit: Charge;
    readonly gateway: Charge;
    readonly terminal: Charge;
    readonly transfer: Charge;
    readonly switch: Charge;
    readonly commission: Charge;
    readonly stampDuty: Charge;
  };
  /** In minor units, by tier. */
  readonly dailyLimits: Readonly<Record<1 | 2 | 3, bigint>>;
  readonly providers: ProviderSettings;
}

/**
 * Reads the environment once. `generated` stands in for what the embedded sandbox makes for itself, and counts only there.
 *
 * @throws ConfigError naming the first variable that is missing, unknown or out of range, and what would be valid
 */
export const readConfig = (generated?: Record<string, string>, env?: Env): Config =>
  configOf(readVariables(generated, env));

function configOf(read: Variables): Config {
  return {
    environment: read.ENVIRONMENT,
    embedded: read.embedded,
    role: read.ROLE,
    logLevel: read.LOG_LEVEL,
    dataDir: read.DATA_DIR,
    host: read.HOST,
    port: read.PORT,
    metricsPort: read.METRICS_PORT,
    trustedProxies: read.TRUSTED_PROXIES,
    publicUrl: read.PUBLIC_URL ?? `http://localhost:${read.PORT}`,
    databaseUrl: read.DATABASE_URL,
    databasePoolMax: read.DATABASE_POOL_MAX,
    redisUrl: read.REDIS_URL,
    operatorToken: read.OPERATOR_TOKEN,
    masterKey: read.MASTER_KEY,
    applicationRegistration: read.APPLICATION_REGISTRATION,
    nubanInstitutionCode: read.NUBAN_INSTITUTION_CODE,
    tokens: {
      customerTtlS: read.CUSTOMER_TOKEN_TTL_S,
      applicationTtlS: read.APPLICATION_TOKEN_TTL_S,
      authCodeTtlS: read.AUTH_CODE_TTL_S,
    },
    webhooks: {
      backoff: { baseMs: read.WEBHOOK_BACKOFF_BASE_MS, jitter: read.WEBHOOK_BACKOFF_JITTER },
      timeoutMs: read.WEBHOOK_TIMEOUT_MS,
      allowedCidrs: read.WEBHOOK_ALLOWED_CIDRS,
      secretOverlapH: read.WEBHOOK_SECRET_OVERLAP_H,
      autoPauseAfterH: read.WEBHOOK_AUTO_PAUSE_AFTER_H,
      retentionD: read.WEBHOOK_RETENTION_D,
      failedRetentionD: read.WEBHOOK_FAILED_RETENTION_D,
    },
    limits: {
      callsPerS: read.RATE_LIMIT_CALLS_PER_S,
      resolvesPerS: read.RATE_LIMIT_RESOLVES_PER_S,
      unknownBvnsPerD: read.RATE_LIMIT_UNKNOWN_BVNS_PER_D,
      registrationsPerH: read.RATE_LIMIT_REGISTRATIONS_PER_H,
      webhookTestsPerM: read.RATE_LIMIT_WEBHOOK_TESTS_PER_M,
      verifyTagsPerM: read.RATE_LIMIT_VERIFY_TAGS_PER_M,
    },
    fees: {
      walletCredit: read.FEE_PARTNER_WALLET_CREDIT,
      walletDebit: read.FEE_PARTNER_WALLET_DEBIT,
      gateway: read.FEE_PARTNER_GATEWAY,
      terminal: read.FEE_PARTNER_TERMINAL,
      transfer: read.FEE_TRANSFER,
      switch: read.FEE_SWITCH,
      commission: read.FEE_COMMISSION,
      stampDuty: read.FEE_STAMP_DUTY,
    },
    dailyLimits: { 1: read.DAILY_LIMIT_TIER_1, 2: read.DAILY_LIMIT_TIER_2, 3: read.DAILY_LIMIT_TIER_3 },
    providers: providersOf(read),
  };
}

const simulator = { provider: 'simulator' } as const;

function providersOf(read: Variables): ProviderSettings {
  return {
    bvn:
      read.BVN_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.BVN_PROVIDER,
            url: read.BVN_DOJAH_URL,
            timeoutMs: read.BVN_TIMEOUT_MS,
            appId: given(read.BVN_DOJAH_APP_ID),
            secretKey: given(read.BVN_DOJAH_SECRET_KEY),
          },
    bank:
      read.BANK_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.BANK_PROVIDER,
            url: read.BANK_PAYSTACK_URL,
            timeoutMs: read.BANK_TIMEOUT_MS,
            secretKey: given(read.BANK_PAYSTACK_SECRET_KEY),
          },
    phone:
      read.MESSAGING_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.MESSAGING_PROVIDER,
            url: given(read.MESSAGING_TERMII_URL),
            timeoutMs: read.MESSAGING_TIMEOUT_MS,
            apiKey: given(read.MESSAGING_TERMII_API_KEY),
            senderId: given(read.MESSAGING_TERMII_SENDER_ID),
            whatsappDevice: read.MESSAGING_TERMII_WHATSAPP_DEVICE ?? given(read.MESSAGING_TERMII_SENDER_ID),
            route: read.MESSAGING_TERMII_ROUTE,
          },
    email:
      read.EMAIL_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.EMAIL_PROVIDER,
            url: given(read.EMAIL_SMTP_URL),
            timeoutMs: read.EMAIL_TIMEOUT_MS,
            tls: read.EMAIL_SMTP_TLS,
            ca: read.EMAIL_SMTP_CA,
            from: given(read.EMAIL_FROM),
          },
  };
}

/** What readVariables refuses a chosen provider without. */
function given(value: string | undefined): string {
  if (value === undefined) throw new Error('a provider was chosen without its variables');
  return value;
}
