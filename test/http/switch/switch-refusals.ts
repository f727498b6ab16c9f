import { expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import type { TestApp } from '../../support/app.ts';
import {
  decide,
  newSide,
  offer,
  SHORT_MS,
  type Side,
  shortOffer,
  type Verb,
  walletTotals,
} from '../../support/switch.ts';

const MILLION = 100_000_000;

/** What each operation that decides a transaction refuses in the same way, and that refusing moves nothing. */
export function refusesAsAllDecisions(server: TestApp, verb: Verb, role: 'sender' | 'receiver'): void {
  const sides = async () => {
    const [sender, receiver] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, sender, receiver);
    const [decider, other] = role === 'sender' ? [sender, receiver] : [receiver, sender];
    return { sender, id, decider, other };
  };
  const stillHeld = async (sender: Side) =>
    expect(await walletTotals(server, sender)).toEqual({ total: MILLION, held: 10_000 });

  it('400: an id that is none', async () => {
    const { decider } = await sides();
    for (const id of ['1', 'pending', '%00', '00000000-0000-7000-8000-00000000000g']) {
      expect((await decide(server, decider, id, verb)).statusCode).toBe(400);
    }
  });

  it('401: without an application token', async () => {
    const { id, sender } = await sides();
    const answer = await decide(server, { ...sender, headers: { authorization: 'Bearer none' } }, id, verb);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([401, 'INVALID_APPLICATION_TOKEN']);
    await stillHeld(sender);
  });

  it('403: the other side', async () => {
    const { id, sender, other } = await sides();
    const answer = await decide(server, other, id, verb);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([403, 'NOT_PERMITTED']);
    await stillHeld(sender);
  });

  it('404: an application that is on neither side, and a transaction nobody knows', async () => {
    const { id, sender, decider } = await sides();
    const stranger = await newSide(server);
    for (const [who, which] of [
      [stranger, id],
      [decider, '00000000-0000-7000-8000-000000000000'],
    ] as const) {
      const answer = await decide(server, who, which, verb);
      expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
    }
    await stillHeld(sender);
  });

  it.each(['accept', 'reject', 'cancel'] as const)('409: after %s', async (before) => {
    const [sender, receiver] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, sender, receiver);
    await decide(server, before === 'cancel' ? sender : receiver, id, before);
    const totals = await Promise.all([walletTotals(server, sender), walletTotals(server, receiver)]);
    const answer = await decide(server, role === 'sender' ? sender : receiver, id, verb);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'TRANSACTION_NOT_PENDING']);
    expect(await Promise.all([walletTotals(server, sender), walletTotals(server, receiver)])).toEqual(totals);
  });

  it('410: when its time is over, whether or not that was swept', async () => {
    const [sender, receiver] = [await newSide(server), await newSide(server)];
    const { id } = await shortOffer(server, sender, receiver);
    const decider = role === 'sender' ? sender : receiver;
    server.clock.advance(SHORT_MS);
    const unswept = await decide(server, decider, id, verb);
    expect([unswept.statusCode, unswept.json().errorCode]).toEqual([410, 'TRANSACTION_EXPIRED']);
    await stillHeld(sender);
    await maintain(server.resources);
    const swept = await decide(server, decider, id, verb);
    expect([swept.statusCode, swept.json().errorCode]).toEqual([410, 'TRANSACTION_EXPIRED']);
    expect(await walletTotals(server, sender)).toEqual({ total: MILLION, held: 0 });
  });
}
