import type { GaugeName, LabelsOf, Meter } from '#lib/meter.ts';
import { toMajor } from '#lib/minor-units.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { measureUnreadable } from '#modules/collections';
import { installedAt } from '#modules/keys';
import { measureLagS, measureLedger } from '#modules/ledger';
import { measurePayouts } from '#modules/payouts';
import { measureIntegrity, sealedUntil } from '#modules/proof';
import { measureBacklog } from '#modules/webhooks';

/** What is read from the database at a scrape, and is the same in every process. */
export interface DatabaseReading {
  readonly name: NonNullable<LabelsOf<'paytag_metrics_unread'>['reading']>;
  /** The gauges it sets: nobody knows them when it fails. */
  readonly gauges: readonly GaugeName[];
  read(db: Database, metrics: Meter): Promise<void>;
}

const inSeconds = (at: Date | null | undefined): number => (at == null ? Number.NaN : at.getTime() / 1000);

const backlog: DatabaseReading = {
  name: 'deliveries',
  gauges: [
    'paytag_webhook_oldest_due_age_seconds',
    'paytag_webhook_due',
    'paytag_webhook_pending',
    'paytag_webhook_parked',
    'paytag_webhook_receivers_paused',
    'paytag_webhook_breakers_open',
  ],
  async read(db, metrics) {
    const found = await measureBacklog(db);
    metrics.set('paytag_webhook_oldest_due_age_seconds', {}, found.oldestDueSeconds);
    metrics.set('paytag_webhook_due', {}, found.due);
    metrics.set('paytag_webhook_pending', {}, found.pending);
    metrics.set('paytag_webhook_parked', {}, found.held);
    metrics.set('paytag_webhook_receivers_paused', {}, found.receiversPaused);
    metrics.set('paytag_webhook_breakers_open', {}, found.breakersOpen);
  },
};

const seals: DatabaseReading = {
  name: 'seals',
  gauges: ['paytag_ledger_last_seal', 'paytag_ledger_sealed_until_timestamp_seconds'],
  async read(db, metrics) {
    const [last, installed] = await Promise.all([sealedUntil(db), installedAt(db)]);
    metrics.set('paytag_ledger_last_seal', {}, last?.number ?? Number.NaN);
    metrics.set('paytag_ledger_sealed_until_timestamp_seconds', {}, inSeconds(last?.endsAt ?? installed));
  },
};

const ledger: DatabaseReading = {
  name: 'suspense',
  gauges: [
    'paytag_ledger_deferred_movements',
    'paytag_ledger_suspense_amount',
    'paytag_ledger_suspense_items',
    'paytag_ledger_suspense_oldest_age_seconds',
  ],
  async read(db, metrics) {
    const { deferred, suspense } = await measureLedger(db);
    metrics.set('paytag_ledger_deferred_movements', {}, deferred);
    for (const { currency, amount, items } of suspense) {
      metrics.set('paytag_ledger_suspense_amount', { currency }, toMajor(amount));
      metrics.set('paytag_ledger_suspense_items', { currency }, items);
    }
    const oldest = Math.max(...suspense.map(({ oldestS }) => oldestS));
    metrics.set('paytag_ledger_suspense_oldest_age_seconds', {}, oldest);
  },
};

const rollUp: DatabaseReading = {
  name: 'roll-up',
  gauges: ['paytag_ledger_roll_up_lag_seconds'],
  async read(db, metrics) {
    metrics.set('paytag_ledger_roll_up_lag_seconds', {}, await measureLagS(db));
  },
};

const payouts: DatabaseReading = {
  name: 'payouts',
  gauges: ['paytag_payouts_open', 'paytag_payouts_oldest_unknown_age_seconds'],
  async read(db, metrics) {
    const { open, oldestUnknownS } = await measurePayouts(db);
    for (const { state, count } of open) metrics.set('paytag_payouts_open', { state }, count);
    metrics.set('paytag_payouts_oldest_unknown_age_seconds', {}, oldestUnknownS);
  },
};

const inbox: DatabaseReading = {
  name: 'inbox',
  gauges: ['paytag_inbox_unreadable_messages'],
  async read(db, metrics) {
    metrics.set('paytag_inbox_unreadable_messages', {}, await measureUnreadable(db));
  },
};

const integrity: DatabaseReading = {
  name: 'checks',
  gauges: [
    'paytag_integrity_violations',
    'paytag_integrity_unfinished',
    'paytag_integrity_last_success_timestamp_seconds',
    'paytag_integrity_duration_seconds',
  ],
  async read(db, metrics) {
    const [{ invariants, kinds }, installed] = await Promise.all([measureIntegrity(db), installedAt(db)]);
    for (const { name: invariant, violations, isUnfinished } of invariants) {
      metrics.set('paytag_integrity_violations', { invariant }, violations);
      metrics.set('paytag_integrity_unfinished', { invariant }, isUnfinished ? 1 : 0);
    }
    for (const kind of ['whole', 'recent'] as const) {
      const last = kinds.find((one) => one.kind === kind);
      const succeededAt = inSeconds(last?.lastSuccessAt ?? installed);
      metrics.set('paytag_integrity_last_success_timestamp_seconds', { kind }, succeededAt);
      if (last !== undefined) metrics.set('paytag_integrity_duration_seconds', { kind }, last.durationMs / 1000);
    }
  },
};

export const databaseReadings: readonly DatabaseReading[] = [backlog, seals, ledger, rollUp, payouts, inbox, integrity];
