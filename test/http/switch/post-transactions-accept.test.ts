import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import {
  decide,
  newSide,
  newTag,
  offer,
  see,
  setTagStatus,
  transactionEvents,
  walletTotals,
} from '../../support/switch.ts';
import { refusesAsAllDecisions } from './switch-refusals.ts';

const MILLION = 100_000_000;

describe('with a fee', () => {
  const server = useApp({ FEE_SWITCH: '1%' });

  it('200: credits the receiver out of the hold, the fee to us, and answers ACCEPTED', async () => {
    const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
    const waiting = await offer(server, acme, market, { amount: 2000, narration: 'rent' });
    const answer = await decide(server, market, waiting.id, 'accept');
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
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION - 202_000, held: 0 });
    expect(await walletTotals(server, market)).toEqual({ total: MILLION + 200_000, held: 0 });
    expect(await transactionEvents(server, acme)).toEqual([
      {
        event: 'TRANSACTION_ACCEPTED',
        reference: waiting.reference,
        data: { ...accepted, rejectionReason: '', webhooks: [] },
      },
    ]);
    expect(await transactionEvents(server, market)).toHaveLength(1);
    const { rows } = await server.owner.query(
      `select t.type, t.external_reference, t.comment, h.state from ledger.transaction t, ledger.hold h
        where t.reference = $1 and h.reference = $1`,
      [`SWT-${waiting.id}`],
    );
    expect(rows).toEqual([
      { type: 'SWITCH', external_reference: waiting.reference, comment: 'rent', state: 'CAPTURED' },
    ]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('200: between tags of one application only the fee moves', async () => {
    const acme = await newSide(server);
    const { id } = await offer(server, acme, { ...acme, tag: await newTag(server, acme) });
    expect((await decide(server, acme, id, 'accept')).json()).toMatchObject({ data: { status: 'ACCEPTED' } });
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION - 100, held: 0 });
    expect((await transactionEvents(server, acme)).map(({ event }) => event)).toEqual([
      'TRANSACTION_INITIATED',
      'TRANSACTION_ACCEPTED',
    ]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('422: a wallet that would hold too much refuses, and the transaction goes on waiting', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, acme, market, { amount: 10 });
    const funding = { amount: 9_999_998_999_995, reference: `full-${market.applicationId}` };
    await server.operate('POST', `/applications/${market.applicationId}/fund`, funding);
    const answer = await decide(server, market, id, 'accept');
    expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'BALANCE_EXCEEDED']);
    expect((await see(server, acme, id)).json()).toMatchObject({ data: { status: 'AWAITING_ACCEPTANCE' } });
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 1010 });
    await offer(server, market, acme, { amount: 100 });
    expect((await decide(server, market, id, 'reject')).statusCode).toBe(200);
  });
});

describe('without a fee', () => {
  const server = useApp();

  it('200: between tags of one application nothing moves, and nothing stays held', async () => {
    const acme = await newSide(server);
    const { id } = await offer(server, acme, { ...acme, tag: await newTag(server, acme) });
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 10_000 });
    expect((await decide(server, acme, id, 'accept')).statusCode).toBe(200);
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 0 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  describe('422', () => {
    it.each(['SUSPENDED', 'CLOSED'] as const)(
      'a tag that is %s: nothing moves, and it goes on waiting',
      async (status) => {
        for (const side of ['sender', 'receiver'] as const) {
          const [acme, market] = [await newSide(server), await newSide(server)];
          const { id, amount, fee } = await offer(server, acme, market);
          const before = await walletTotals(server, market);
          await setTagStatus(server, (side === 'sender' ? acme : market).tag, status);
          const answer = await decide(server, market, id, 'accept');
          expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'TAG_NOT_PAYABLE']);
          expect((await see(server, market, id)).json().data.status).toBe('AWAITING_ACCEPTANCE');
          expect(await walletTotals(server, acme)).toMatchObject({ held: (amount + fee) * 100 });
          expect(await walletTotals(server, market)).toEqual(before);
        }
      },
    );
  });

  describe('refusals', () => {
    refusesAsAllDecisions(server, 'accept', 'receiver');
  });
});
