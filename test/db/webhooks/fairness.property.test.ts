import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimDeliveries } from '#modules/webhooks';
import { useOutbox } from '../../support/outbox.ts';
import { repetitions } from '../../support/repetitions.ts';

const outbox = useOutbox();

/** For each receiver how much is due and how much is in flight here. */
const receiversWith = fc.array(
  fc.record({ due: fc.integer({ min: 1, max: 12 }), inFlight: fc.integer({ min: 0, max: 8 }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

test('a claim fills receivers to one level: none exceeds the cap, idle ones are served, and a newcomer has room', async () => {
  await fc.assert(
    fc.asyncProperty(
      receiversWith,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 8 }),
      async (receivers, limit, cap) => {
        await outbox.pool.query('truncate outbox.receiver cascade');
        const inFlight = new Map<string, number>();
        for (const one of receivers) {
          const receiver = await outbox.newReceiver('https://partner.example/hook');
          await outbox.emitTo(receiver, one.due);
          inFlight.set(receiver.id, one.inFlight);
        }
        const { claimed } = await claimDeliveries(outbox.pool, {
          limit,
          perReceiver: cap,
          inFlight,
          leaseMs: 60_000,
        });

        const taken = [...inFlight].map(([id, before]) => {
          const now = claimed.filter((one) => one.receiverId === id).length;
          return { before, now, overCap: now > 0 && before + now > cap };
        });
        expect(claimed.length).toBeLessThanOrEqual(limit);
        expect(taken.filter(({ overCap }) => overCap)).toEqual([]);
        const isRoomy = limit > receivers.length;
        expect(limit - claimed.length, 'room for one that comes next').toBeGreaterThanOrEqual(isRoomy ? 1 : 0);
        const idle = taken.filter(({ before, now }) => isRoomy && before === 0 && now === 0);
        expect(idle, 'idle receivers that got nothing').toEqual([]);
      },
    ),
    {
      numRuns: repetitions({ short: 15, soak: 400 }),
      // One that is far above the level once raised it for all, and nothing was left for a newcomer.
      examples: [
        [
          [
            { due: 2, inFlight: 0 },
            { due: 2, inFlight: 0 },
            { due: 1, inFlight: 4 },
            { due: 1, inFlight: 1 },
          ],
          5,
          5,
        ],
      ],
    },
  );
});
