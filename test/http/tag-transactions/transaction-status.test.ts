import { describe, expect, it } from 'vitest';
import { updateStatus } from '../../../src/modules/tag-transactions/store.ts';
import {
  type FinalStatus,
  tagTransactionStatuses,
  tagTransactionTransitions,
} from '../../../src/modules/tag-transactions/tag-transaction-status.ts';
import { useApp } from '../../support/app.ts';
import { newSide, offer } from '../../support/switch.ts';

const server = useApp();
const at = new Date('2030-01-01T00:00:00Z');
const outcomes = tagTransactionTransitions.AWAITING_ACCEPTANCE;
const changes: Record<FinalStatus, object> = {
  ACCEPTED: { acceptedAt: at },
  REJECTED: { rejectedAt: at, rejectionReason: 'no' },
  CANCELLED: {},
  EXPIRED: {},
  DECLINED: { code: 'INSUFFICIENT_FUNDS' },
};

/** Moves a transaction at a moment when this can be done: expiry after its time, all else before. */
const move = async (id: string, to: FinalStatus) => {
  const now = to === 'EXPIRED' ? new Date(server.clock.now().getTime() + 100 * 24 * 3_600_000) : server.clock.now();
  return (await server.resources.db.transaction((tx) => updateStatus(tx, id, to, changes[to], now)))?.status;
};

describe('from AWAITING_ACCEPTANCE', () => {
  it.each(outcomes)('to %s, and from there nowhere', async (to) => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, acme, market);
    expect(await move(id, to)).toBe(to);
    for (const next of outcomes) expect(await move(id, next)).toBeUndefined();
  });

  it('not to EXPIRED before its time, and to nothing else after it', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id, expiresAt } = await offer(server, acme, market);
    const over = new Date(expiresAt);
    const tryAt = (to: FinalStatus, now: Date) =>
      server.resources.db.transaction((tx) => updateStatus(tx, id, to, changes[to], now));
    expect(await tryAt('EXPIRED', new Date(over.getTime() - 1))).toBeUndefined();
    for (const to of outcomes.filter((one) => one !== 'EXPIRED')) expect(await tryAt(to, over)).toBeUndefined();
    expect(await tryAt('EXPIRED', over)).toMatchObject({ status: 'EXPIRED' });
  });
});

it('every status but the first is an end', () => {
  const ends = tagTransactionStatuses.filter((status) => tagTransactionTransitions[status].length === 0);
  expect(new Set(ends)).toEqual(new Set(outcomes));
});
