/** One valid value of each variable, other than its default where it can be. */
export const validValues: Record<string, string> = {
  ENVIRONMENT: 'staging',
  DATABASE_URL: 'postgresql://app@db.internal:5432/app',
  OPERATOR_TOKEN: 'op_sandbox_of_the_tests_0123456789abcdefghijklm',
  MASTER_KEY: '5c'.repeat(32),
  HOST: '10.1.2.3',
  PORT: '8080',
  PUBLIC_URL: 'https://pay.example.com',
  ROLE: 'worker',
  LOG_LEVEL: 'debug',
  DATABASE_POOL_MAX: '12',
  REDIS_URL: 'redis://cache.internal:6379',
  DATA_DIR: '/var/lib/paytag',
  WEBHOOK_BACKOFF_BASE_MS: '250',
  WEBHOOK_BACKOFF_JITTER: '0.5',
  WEBHOOK_TIMEOUT_MS: '2500',
  WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8, fd00::/8',
  TRUSTED_PROXIES: '10.0.0.1,10.1.0.0/16',
  APPLICATION_REGISTRATION: 'approval',
  CUSTOMER_TOKEN_TTL_S: '900',
  APPLICATION_TOKEN_TTL_S: '900',
  AUTH_CODE_TTL_S: '60',
  NUBAN_INSTITUTION_CODE: '058',
  BVN_PROVIDER: 'simulator',
  MESSAGING_PROVIDER: 'simulator',
};

/** The whole-number variables, with the ranges that the README promises. */
export const RANGES: Record<string, [min: number, max: number]> = {
  PORT: [0, 65_535],
  DATABASE_POOL_MAX: [2, 200],
  WEBHOOK_BACKOFF_BASE_MS: [1, 3_600_000],
  WEBHOOK_TIMEOUT_MS: [100, 60_000],
  CUSTOMER_TOKEN_TTL_S: [60, 86_400],
  APPLICATION_TOKEN_TTL_S: [60, 86_400],
  AUTH_CODE_TTL_S: [10, 600],
};
