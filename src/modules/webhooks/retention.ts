import type { Logger } from 'pino';
import {
  DAY_MS,
  deletes,
  type Forget,
  type Forgotten,
  FORGOTTEN_AT_ONCE as LIMIT,
  type Retention,
  type Store,
} from '#lib/retention.ts';
import { purgeEnded } from './purge-ended.ts';
import { endWaiting, forgetDeliveries } from './purge-store.ts';

export type WebhookRetentionDeps = Store & {
  log: Logger;
  webhooks: { retentionD: number; failedRetentionD: number; pendingRetentionD: number; deliveryRetentionD: number };
};

type Work = (deps: WebhookRetentionDeps, before: Date) => Promise<Forgotten>;

/** With 0 days nothing is forgotten. */
const after =
  (days: keyof WebhookRetentionDeps['webhooks'], work: Work): Forget<WebhookRetentionDeps> =>
  async (deps, now) => {
    const kept = deps.webhooks[days];
    if (kept === 0) return { rows: 0, isAll: true };
    return work(deps, new Date(now.getTime() - kept * DAY_MS));
  };

const some = (rows: number): Forgotten => ({ rows, isAll: rows < LIMIT });

/** How long each table of this room is kept. */
export const retention: readonly Retention<WebhookRetentionDeps>[] = [
  {
    table: 'webhooks.delivery',
    kept: 'WEBHOOK_DELIVERY_RETENTION_D days after the body of its event went (0: for ever); one that waits, for a receiver that is paused or has no URL for example, ends as FAILED after WEBHOOK_PENDING_RETENTION_D days (0: never)',
    why: 'that and when somebody was told can be looked up; nothing waits for ever',
    forget: {
      waiting: after('pendingRetentionD', async ({ db, log }, before) => {
        const ended = await endWaiting(db, before, LIMIT);
        if (ended > 0)
          log.warn({ ended, before }, 'webhooks have waited too long for their receivers: they are FAILED');
        return some(ended);
      }),
      rows: after('deliveryRetentionD', async ({ db }, before) => some(await forgetDeliveries(db, before, LIMIT))),
    },
  },
  {
    table: 'webhooks.attempt',
    kept: 'with the body of its event: WEBHOOK_RETENTION_D days after each endpoint took it, WEBHOOK_FAILED_RETENTION_D days after one FAILED (0: for ever)',
    why: 'until then it can be sent again; a receiver’s answer may quote the body',
    forget: {
      delivered: after('retentionD', (deps, before) => purgeEnded(deps, 'DELIVERED', before)),
      failed: after('failedRetentionD', async (deps, before) => {
        const forgotten = await purgeEnded(deps, 'FAILED', before);
        if (forgotten.rows > 0)
          deps.log.warn({ purged: forgotten.rows, before }, 'webhooks that never were delivered are not kept any more');
        return forgotten;
      }),
    },
  },
  {
    table: 'webhooks.failure',
    kept: 'until its delivery is replayed, or goes',
    why: 'what is sent again by itself when the receiver is well',
  },
  {
    table: 'webhooks.episode',
    kept: '90 days after its end',
    why: 'that an owner was told of trouble can be shown',
    forget: { rows: deletes({ table: 'webhooks.episode', by: 'ended_at', afterMs: 90 * DAY_MS }) },
  },
  { table: 'webhooks.breaker', kept: 'until its receiver works again', why: 'one row for each receiver that fails' },
  { table: 'webhooks.pace', kept: 'as long as its receiver has a rate', why: 'one row for each' },
  { table: 'webhooks.pause', kept: 'as long as its receiver', why: 'the latest of each' },
  { table: 'webhooks.release', kept: 'until all that was held is due', why: 'one row for each receiver' },
];
