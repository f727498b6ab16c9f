import { counter, gauge, histogram, REQUEST_SECONDS } from '../metric-kinds.ts';

/** What people do, and the providers that it takes. */
export const peopleMetrics = {
  paytag_logins_total: counter(
    'Logins of customers at partners: ok, wrong (PayTag or password), or throttled, which is also a right password while guesses are slowed',
    { outcome: ['ok', 'wrong', 'throttled'] },
  ),
  paytag_otp_sent_total: counter('One-time passwords: sent, unconfirmed (the provider did not say), or failed', {
    channel: ['sms', 'whatsapp', 'email'],
    outcome: ['sent', 'unconfirmed', 'failed'],
  }),
  paytag_otp_checked_total: counter('One-time passwords that somebody gave', {
    outcome: ['right', 'wrong', 'expired', 'throttled'],
  }),
  paytag_provider_call_duration_seconds: histogram(
    'Calls of providers: ok, refused (it answered, and did not do it), or down (no answer, or none that can be used)',
    REQUEST_SECONDS,
    {
      service: ['bvn', 'bank', 'messaging', 'email', 'payout', 'inbound', 'rail'],
      provider: 'word of ours',
      outcome: ['ok', 'refused', 'down'],
    },
  ),
  paytag_provider_up: gauge('0 when the last call of a provider by this process found it down, otherwise 1', {
    service: ['bvn', 'bank', 'messaging', 'email', 'payout', 'inbound', 'rail'],
    provider: 'word of ours',
  }),
} as const;
