import { DatabaseError } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { outageLogger } from '#lib/log.ts';
import type { GaugeName, LabelsOf, Meter } from '#lib/meter.ts';
import { toMajor } from '#lib/minor-units.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { type Database, onOneConnection } from '#lib/postgres/executor.ts';
import { isStalePlan } from '#lib/postgres/failures.ts';
import { measureUnreadable } from '#modules/collections';
import { installedAt } from '#modules/keys';
import { measureLagS, measureLedger } from '#modules/ledger';
import { measurePayouts } from '#modules/payouts';
import { measureIntegrity, sealedUntil } from '#modules/proof';
import { measureBacklog } from '#modules/webhooks';
import type { Metrics } from './metrics.ts';

/** A gauge may be missing, but a scrape may not load the database. */
const STATEMENT_TIMEOUT_MS = 2_000;

/** How long one reading serves all scrapes. */
const FRESH_MIN_MS = 1_000;
/** A slow reading serves for this multiple of its duration: reading takes a tenth of the time at most. */
const REST = 9;

/** The counters of this process, the backlogs in the database and the results of the last checks, as text for Prometheus. */
export type Scrape = () => Promise<{ contentType: string; text: string }>;

/**
 * Opens the scrape with its own connection, so that no request waits for it. One computation runs at a time and serves all scrapes. Also
 * answers while the database is away.
 */
export function openScrape({
  databaseUrl,
  metrics,
  clock,
  log,
}: {
  databaseUrl: string;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
}): { scrape: Scrape; close: () => Promise<void> } {
  const measuring = outageLogger(log, 'reading the database for metrics');
  const database = openDatabase(databaseUrl, 1, measuring.failed, {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'paytag-metrics',
  });

  /** A failed reading does not stop the next, unless the database does not answer. */
  async function readAll(db: Database): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const reading of databaseReadings) {
      try {
        await reading.read(db, metrics);
        metrics.set('paytag_metrics_unread', { reading: reading.name }, 0);
      } catch (error) {
        if (isStalePlan(error)) throw error; // everything is read again on another connection
        failures.push(error);
        if (!(error instanceof DatabaseError)) break;
      }
    }
    return failures;
  }

  const scrape = createSharedReading(async () => {
    for (const { name, gauges } of databaseReadings) {
      metrics.unknown(gauges);
      metrics.set('paytag_metrics_unread', { reading: name }, 1);
    }
    const failures = await onOneConnection(database.db, readAll).catch((error: unknown) => [error]);
    for (const failure of failures) measuring.failed(failure);
    if (failures.length === 0) measuring.recovered();
    return metrics.expose();
  }, clock);
  return {
    scrape,
    close: async () => {
      measuring.end();
      await database.close();
    },
  };
}

/**
 * Shares the result of `read`: one computation runs at a time for all callers, and its result serves for a second, or nine times its
 * duration. The number of scrapes does not matter.
 */
export function createSharedReading<T>(read: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { readonly value: T; readonly endedAt: number; readonly freshMs: number } | undefined;
  let running: Promise<T> | undefined;

  const isFresh = (): boolean => {
    const age = last === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - last.endedAt;
    return last !== undefined && age >= 0 && age < last.freshMs; // a clock that was set back makes it stale
  };
  const readAgain = async (): Promise<T> => {
    const beganAt = clock.now().getTime();
    const value = await read();
    const endedAt = clock.now().getTime();
    last = { value, endedAt, freshMs: Math.max(FRESH_MIN_MS, (endedAt - beganAt) * REST) };
    return value;
  };
  return async () => {
    if (running !== undefined) return running;
    if (last !== undefined && isFresh()) return last.value;
    running = readAgain().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Gauges that a scrape reads from the database; they are the same in every process. */
export interface DatabaseReading {
  readonly name: NonNullable<LabelsOf<'paytag_metrics_unread'>['reading']>;
  /** The gauges that the reading sets; unknown when it fails. */
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

const databaseReadings: readonly DatabaseReading[] = [backlog, seals, ledger, rollUp, payouts, inbox, integrity];
