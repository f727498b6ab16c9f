import type { VariableName } from './variables.ts';

/**
 * The defaults that depend on the environment; all others are in `variables`. Live has none for secrets, providers and values that suit
 * tests only: they must be given.
 *
 * @param embedded whether the database is the embedded one
 */
export function defaultsOf(environment: string, embedded: boolean): Partial<Record<VariableName, string>> {
  const everywhere = {
    HOST: embedded ? '127.0.0.1' : '0.0.0.0',
    SHUTDOWN_DELAY_S: embedded ? '0' : '5',
    WEBHOOK_BACKOFF_BASE_MS: embedded ? '1000' : '30000',
    PAYOUT_VERIFY_BASE_MS: embedded ? '500' : '5000',
    WEBHOOK_ALLOWED_CIDRS: embedded ? '127.0.0.0/8,::1/128' : '',
  };
  if (environment === 'live') {
    return {
      ...everywhere,
      MIGRATE: 'never',
      WEBHOOK_REPLAY_FAILED: 'on',
      APPLICATION_REGISTRATION: 'approval',
      RATE_LIMIT_CALLS_PER_S: '1000',
      RATE_LIMIT_RESOLVES_PER_S: '100',
      RATE_LIMIT_BVNS_PER_D: '10000',
      RATE_LIMIT_UNKNOWN_BVNS_PER_D: '100',
      RATE_LIMIT_REGISTRATIONS_PER_H: '10',
      RATE_LIMIT_VERIFY_TAGS_PER_M: '600',
      RATE_LIMIT_MESSAGES_PER_D: '10000',
      RATE_LIMIT_WEBHOOK_TESTS_PER_M: '60',
      RATE_LIMIT_REVEALS_PER_H: '20',
      RATE_LIMIT_FINDS_PER_H: '200',
      PAYOUT_PROVIDER: 'none',
      INBOUND_PROVIDER: 'none',
    };
  }
  return {
    ...everywhere,
    MIGRATE: 'on-start',
    WEBHOOK_REPLAY_FAILED: 'off',
    APPLICATION_REGISTRATION: 'open',
    RATE_LIMIT_CALLS_PER_S: '0',
    RATE_LIMIT_RESOLVES_PER_S: '0',
    RATE_LIMIT_BVNS_PER_D: '0',
    RATE_LIMIT_UNKNOWN_BVNS_PER_D: '0',
    RATE_LIMIT_REGISTRATIONS_PER_H: '0',
    RATE_LIMIT_VERIFY_TAGS_PER_M: '0',
    RATE_LIMIT_MESSAGES_PER_D: '0',
    RATE_LIMIT_WEBHOOK_TESTS_PER_M: '0',
    RATE_LIMIT_REVEALS_PER_H: '0',
    RATE_LIMIT_FINDS_PER_H: '0',
    NUBAN_INSTITUTION_CODE: '999',
    BVN_PROVIDER: 'simulator',
    BANK_PROVIDER: 'simulator',
    PAYOUT_PROVIDER: 'simulator',
    INBOUND_PROVIDER: 'simulator',
    MESSAGING_PROVIDER: 'simulator',
    EMAIL_PROVIDER: 'simulator',
  };
}
