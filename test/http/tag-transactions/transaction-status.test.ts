import { describe, expect, it } from 'vitest';
import { expireOverdue, selectById } from '../../../src/modules/tag-transactions/store.ts';
import { toTagTransaction } from '../../../src/modules/tag-transactions/tag-transaction.ts';
import {
  tagTransactionStatuses,
  tagTransactionTransitions,
} from '../../../src/modules/tag-transactions/tag-transaction-status.ts';
import { useApp } from '../../support/app.ts';
import { newSide, offer } from '../../support/switch.ts';

const server = useApp();
const outcomes = tagTransactionTransitions.AWAITING_ACCEPTANCE;
/** What a transaction that waits is led to: one is declined while it is made, and never waits. */
const ends = ['ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const;
type End = (typeof ends)[number];

/** Moves a transaction at a moment, with no money. False when it was not done. */
async function moveAt(id: string, to: End, now: Date): Promise<boolean> {
  const { db, offers } = server.resources;
  if (to === 'EXPIRED') return (await db.transaction((tx) => expireOverdue(tx, id, now))) !== undefined;
  const found = await selectById(db, { id });
  if (found === undefined) throw new Error('there is no such transaction');
  const rejected = to === 'REJECTED' ? { rejectedAt: now, rejectionReason: 'no' } : {};
  const transaction = { ...toTagTransaction(found, now), ...rejected, status: to, updatedAt: now };
  const event = { owner: found.row.senderAppId, name: 'TRANSACTION_ACCEPTED', body: '{}' } as const;
  return offers.decide({ transaction, event, release: found.row.holdId ?? 0 });
}

/** At a moment when this can be done: expiry after its time, all else before. */
const move = (id: string, to: End) =>
  moveAt(id, to, to === 'EXPIRED' ? new Date(server.clock.now().getTime() + 100 * 24 * 3_600_000) : server.clock.now());

const waitingOffer = async () => offer(server, await newSide(server), await newSide(server));

describe('from AWAITING_ACCEPTANCE', () => {
  it.each(ends)('to %s, and from there nowhere', async (to) => {
    const { id } = await waitingOffer();
    expect(await move(id, to)).toBe(true);
    expect((await selectById(server.resources.db, { id }))?.row.status).toBe(to);
    for (const next of ends) expect(await move(id, next)).toBe(false);
  });

  it('not to EXPIRED before its time, and to nothing else after it', async () => {
    const { id, expiresAt } = await waitingOffer();
    const over = new Date(expiresAt);
    expect(await moveAt(id, 'EXPIRED', new Date(over.getTime() - 1))).toBe(false);
    for (const to of ends.filter((one) => one !== 'EXPIRED')) expect(await moveAt(id, to, over)).toBe(false);
    expect(await moveAt(id, 'EXPIRED', over)).toBe(true);
  });
});

it('every status but the first is an end', () => {
  const without = tagTransactionStatuses.filter((status) => tagTransactionTransitions[status].length === 0);
  expect(new Set(without)).toEqual(new Set(outcomes));
});
