import { describe, expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  decide,
  newSide,
  newTag,
  offer,
  SHORT_MS,
  see,
  setTagStatus,
  shortOffer,
  transactionEvents,
  walletTotals,
} from '../../support/switch.ts';

const server = useApp();

describe('POST /transactions/{id}/accept', () => {
  const MILLION = 100_000_000;

  describe('with a fee', () => {
    const alone = useApp({ FEE_SWITCH: '1%' });

    it('200: credits the receiver out of the hold, the fee to us, and answers ACCEPTED', async () => {
      const [acme, market] = [await newSide(alone, 'Acme'), await newSide(alone, 'Market')];
      const waiting = await offer(alone, acme, market, { amount: 2000, narration: 'rent' });
      const answer = await decide(alone, market, waiting.id, 'accept');
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toMatchObject({ success: true, errorCode: '', errors: [] });
      const { webhooks, ...accepted } = answer.json().data;
      const { webhooks: _none, ...before } = waiting;
      expect(accepted).toEqual({
        ...before,
        status: 'ACCEPTED',
        acceptedAt: accepted.updatedAt,
        updatedAt: expect.any(String),
      });
      expect(webhooks).toMatchObject([{ eventType: 'TRANSACTION_INITIATED', direction: 'RECEIVER' }]);
      expect(await walletTotals(alone, acme)).toEqual({ total: MILLION - 202_000, held: 0 });
      expect(await walletTotals(alone, market)).toEqual({ total: MILLION + 200_000, held: 0 });
      expect(await transactionEvents(alone, acme)).toEqual([
        {
          event: 'TRANSACTION_ACCEPTED',
          reference: waiting.reference,
          data: { ...accepted, rejectionReason: '', webhooks: [] },
        },
      ]);
      expect(await transactionEvents(alone, market)).toHaveLength(1);
      const { rows } = await alone.owner.query(
        `select t.type, t.external_reference, t.comment, h.state from ledger.transaction t, ledger.hold h
        where t.reference = $1 and h.reference = $1`,
        [`SWT-${waiting.id}`],
      );
      expect(rows).toEqual([
        { type: 'SWITCH', external_reference: waiting.reference, comment: 'rent', state: 'CAPTURED' },
      ]);
      expect(await brokenInvariants(alone)).toEqual([]);
    });

    it('200: between tags of one application only the fee moves', async () => {
      const acme = await newSide(alone);
      const { id } = await offer(alone, acme, { ...acme, tag: await newTag(alone, acme) });
      expect((await decide(alone, acme, id, 'accept')).json()).toMatchObject({ data: { status: 'ACCEPTED' } });
      expect(await walletTotals(alone, acme)).toEqual({ total: MILLION - 100, held: 0 });
      expect((await transactionEvents(alone, acme)).map(({ event }) => event)).toEqual([
        'TRANSACTION_INITIATED',
        'TRANSACTION_ACCEPTED',
      ]);
      expect(await brokenInvariants(alone)).toEqual([]);
    });

    it('422: a wallet that would hold too much refuses, and the transaction goes on waiting', async () => {
      const [acme, market] = [await newSide(alone), await newSide(alone)];
      const { id } = await offer(alone, acme, market, { amount: 10 });
      const funding = { amount: 9_999_998_999_995, reference: `full-${market.applicationId}` };
      await alone.operate('POST', `/applications/${market.applicationId}/fund`, funding);
      expect(refusalOf(await decide(alone, market, id, 'accept'))).toEqual([422, 'BALANCE_EXCEEDED']);
      expect((await see(alone, acme, id)).json()).toMatchObject({ data: { status: 'AWAITING_ACCEPTANCE' } });
      expect(await walletTotals(alone, acme)).toEqual({ total: MILLION, held: 1010 });
      await offer(alone, market, acme, { amount: 100 });
      expect((await decide(alone, market, id, 'reject')).statusCode).toBe(200);
    });
  });

  describe('without a fee', () => {
    const alone = useApp();

    it('200: between tags of one application nothing moves, and nothing stays held', async () => {
      const acme = await newSide(alone);
      const { id } = await offer(alone, acme, { ...acme, tag: await newTag(alone, acme) });
      expect(await walletTotals(alone, acme)).toEqual({ total: MILLION, held: 10_000 });
      expect((await decide(alone, acme, id, 'accept')).statusCode).toBe(200);
      expect(await walletTotals(alone, acme)).toEqual({ total: MILLION, held: 0 });
      expect(await brokenInvariants(alone)).toEqual([]);
    });

    describe('422', () => {
      it.each(['SUSPENDED', 'CLOSED'] as const)(
        'a tag that is %s: nothing moves, and it goes on waiting',
        async (status) => {
          for (const side of ['sender', 'receiver'] as const) {
            const [acme, market] = [await newSide(alone), await newSide(alone)];
            const { id, amount, fee } = await offer(alone, acme, market);
            const before = await walletTotals(alone, market);
            await setTagStatus(alone, (side === 'sender' ? acme : market).tag, status);
            expect(refusalOf(await decide(alone, market, id, 'accept'))).toEqual([422, 'TAG_NOT_PAYABLE']);
            expect((await see(alone, market, id)).json().data.status).toBe('AWAITING_ACCEPTANCE');
            expect(await walletTotals(alone, acme)).toMatchObject({ held: (amount + fee) * 100 });
            expect(await walletTotals(alone, market)).toEqual(before);
          }
        },
      );
    });
  });
});

describe('POST /transactions/{id}/reject', () => {
  it('200: returns the held amount to the sender, with the reason', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { webhooks: _none, ...waiting } = await offer(server, acme, market);
    const answer = await decide(server, market, waiting.id, 'reject');
    expect(answer.statusCode).toBe(200);
    const { webhooks: _own, ...rejected } = answer.json().data;
    expect(rejected).toEqual({
      ...waiting,
      status: 'REJECTED',
      rejectedAt: rejected.updatedAt,
      rejectionReason: 'not today',
      updatedAt: expect.any(String),
    });
    expect(await walletTotals(server, acme)).toEqual({ total: 100_000_000, held: 0 });
    expect(await walletTotals(server, market)).toEqual({ total: 100_000_000, held: 0 });
    expect(await transactionEvents(server, acme)).toEqual([
      {
        event: 'TRANSACTION_REJECTED',
        reference: waiting.reference,
        data: { ...rejected, narration: '', webhooks: [] },
      },
    ]);
  });
});

describe('POST /transactions/{id}/cancel', () => {
  it('200: returns the held amount to the sender, and notifies the receiver', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { webhooks: _none, ...waiting } = await offer(server, acme, market);
    const answer = await decide(server, acme, waiting.id, 'cancel');
    expect(answer.statusCode).toBe(200);
    const { webhooks, ...cancelled } = answer.json().data;
    expect(cancelled).toEqual({ ...waiting, status: 'CANCELLED', updatedAt: expect.any(String) });
    expect(webhooks).toEqual([]);
    expect(await walletTotals(server, acme)).toEqual({ total: 100_000_000, held: 0 });
    expect((await transactionEvents(server, market)).map(({ event, data }) => [event, data.status])).toEqual([
      ['TRANSACTION_INITIATED', 'AWAITING_ACCEPTANCE'],
      ['TRANSACTION_CANCELLED', 'CANCELLED'],
    ]);
  });

  it('200: a tag that was suspended meanwhile does not keep its money held', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, acme, market);
    await setTagStatus(server, acme.tag, 'SUSPENDED');
    const headers = { ...acme.headers, 'content-type': 'text/plain' };
    const answer = await server.call('POST', `/api/v1/transactions/${id}/cancel`, { headers });
    expect(answer.statusCode).toBe(200);
  });
});

it.each([
  ['accept', 'receiver'],
  ['reject', 'receiver'],
  ['cancel', 'sender'],
] as const)('410: %s by the %s when its time is over, whether or not that was swept', async (verb, role) => {
  const sides = { sender: await newSide(server), receiver: await newSide(server) };
  const { id } = await shortOffer(server, sides.sender, sides.receiver);
  server.clock.advance(SHORT_MS);
  expect(refusalOf(await decide(server, sides[role], id, verb))).toEqual([410, 'TRANSACTION_EXPIRED']);
  expect(await walletTotals(server, sides.sender)).toEqual({ total: 100_000_000, held: 10_000 });
  await maintain(server.resources);
  expect(refusalOf(await decide(server, sides[role], id, verb))).toEqual([410, 'TRANSACTION_EXPIRED']);
  expect(await walletTotals(server, sides.sender)).toEqual({ total: 100_000_000, held: 0 });
});
