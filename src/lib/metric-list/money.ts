import { counter, gauge, histogram } from '../metric-kinds.ts';

/** Money and the books. */
export const moneyMetrics = {
  paytag_ledger_postings_total: counter(
    'Movements of money that were asked for, by type and outcome: posted, pending (in suspense, or the money of a payout held), replayed (its reference had been posted before), or why it was refused',
    { type: 'word of ours', outcome: 'word of ours' },
  ),
  paytag_ledger_posted_amount_total: counter('What was moved, in whole units of its currency', {
    type: 'word of ours',
    currency: ['NGN', 'FP'],
  }),
  paytag_ledger_batch_size: histogram('Movements that shared one call of the database', [1, 2, 4, 8, 16, 32, 64, 128], {
    function: 'word of ours',
  }),
  paytag_ledger_deferred_movements: gauge('Movements that wait to be added to the balances of our own accounts'),
  paytag_ledger_roll_up_lag_seconds: gauge('Age of the last moment up to which the days of the books are added up'),
  paytag_ledger_suspense_amount: gauge('Money that cannot be credited yet, in whole units of its currency', {
    currency: ['NGN', 'FP'],
  }),
  paytag_ledger_suspense_items: gauge('Payments that wait in suspense', { currency: ['NGN', 'FP'] }),
  paytag_ledger_suspense_oldest_age_seconds: gauge('How long the oldest of them waits'),
  paytag_ledger_last_seal: gauge('Number of the last seal of the books'),
  paytag_ledger_sealed_until_timestamp_seconds: gauge(
    'End of the last hour of the books that is sealed; before the first, when this was installed',
  ),
  paytag_payouts_open: gauge('Payouts that have no end yet, by state', { state: ['PENDING', 'SENT', 'UNKNOWN'] }),
  paytag_payouts_oldest_unknown_age_seconds: gauge(
    'How long ago the oldest payout began of which the provider does not say what became of it',
  ),
  paytag_inbox_unreadable_messages: gauge(
    'Messages of providers that are not as documented, and that no operator has looked at',
  ),
  paytag_integrity_violations: gauge(
    'Rows that break an invariant, as the last check of everything or one since has found',
    { invariant: 'word of ours' },
  ),
  paytag_integrity_unfinished: gauge(
    '1 where the last check of everything, or one since, could not tell an invariant to its end',
    { invariant: 'word of ours' },
  ),
  paytag_integrity_last_success_timestamp_seconds: gauge(
    'When a check last ended that told every invariant and found none broken, of everything (whole) and of what is new (recent); before the first, when this was installed',
    { kind: ['whole', 'recent'] },
  ),
  paytag_integrity_duration_seconds: gauge('How long the last check took, by kind', { kind: ['whole', 'recent'] }),
} as const;
