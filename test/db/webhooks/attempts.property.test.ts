import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AttemptResult, claimDeliveries, getDelivery, recordAttempts } from '#modules/webhooks';
import { useOutbox } from '../../support/outbox.ts';
import { repetitions } from '../../support/repetitions.ts';

const LEASE_MS = 1_000;
const outbox = useOutbox();

/** What may happen to a delivery: a worker claimed it and dies, or claimed it and ends, or one long gone writes at last. */
const step = fc.oneof(
  fc.constant({ kind: 'die' } as const),
  fc.constant({ kind: 'deliver' } as const),
  fc.constant({ kind: 'fail' } as const),
  fc.record({ kind: fc.constant('late' as const), attempt: fc.integer({ min: 0, max: 4 }), delivered: fc.boolean() }),
);

test('whatever dies and whoever writes late, a delivery has at most five attempts, each on record, and one end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      await outbox.pool.query('truncate outbox.receiver cascade');
      await outbox.emitTo(await outbox.newReceiver('https://partner.example/hook'));
      let now = Date.now() + 3_600_000;
      let ended: string | undefined;
      const sent: { deliveryId: string; number: number }[] = [];

      for (const happening of steps) {
        now += 10 * LEASE_MS;
        if (happening.kind === 'late') {
          const late = sent[happening.attempt];
          if (late !== undefined && late.number < sent.length) {
            await recordAttempts(outbox.pool, [result(late, happening.delivered ? 'DELIVERED' : 'PENDING')]);
          }
          continue;
        }
        const given = { limit: 5, perReceiver: 5, inFlight: new Map<string, number>(), leaseMs: LEASE_MS };
        const { claimed, exhausted } = await claimDeliveries(outbox.pool, { ...given, now: new Date(now) });
        if (exhausted.length > 0) ended = 'FAILED';
        for (const one of claimed) {
          sent.push(one);
          if (happening.kind === 'die') continue;
          const failed = one.number === 5 ? 'FAILED' : 'PENDING';
          const status = happening.kind === 'deliver' ? 'DELIVERED' : failed;
          await recordAttempts(outbox.pool, [result(one, status)]);
          if (status !== 'PENDING') ended = status;
        }
      }

      expect(sent.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5].slice(0, sent.length));
      if (sent[0] === undefined) return;
      const delivery = await getDelivery(outbox.db, sent[0].deliveryId);
      expect(delivery).toMatchObject({ status: ended ?? 'PENDING', attempts: sent.length });
      expect(delivery.history.map(({ number }) => number)).toEqual(sent.map(({ number }) => number));
    }),
    { numRuns: repetitions({ short: 20, soak: 600 }) },
  );
});

const result = (of: { deliveryId: string; number: number }, status: AttemptResult['status']): AttemptResult => ({
  deliveryId: of.deliveryId,
  number: of.number,
  status,
  retryInMs: status === 'PENDING' ? 0 : null,
  statusCode: 500,
  durationMs: 1,
  error: status === 'DELIVERED' ? null : 'status 500',
  response: null,
});
