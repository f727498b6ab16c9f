import { describe, expect, it } from 'vitest';
import type { Transact } from '#lib/postgres/transact.ts';
import { markPayout, sendPayouts, verifyPayout } from '#modules/payouts';
import { useApp } from '../../support/app.ts';
import { ACCOUNT, payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { changeWallet, fundedWallet, newReference } from '../../support/wallets.ts';

const server = useApp({ FEE_PAYOUT: '25' });
const HOUR_MS = 3_600_000;
const payouts = payoutsOf(server);
const { payOut, read, carry } = payouts;

/** The payout of a reference, as the operator sees it. */
const shown = async (reference: string, wallet = payouts.wallet) => {
  const { items } = (await server.operate('GET', `/payouts?wallet=${wallet}`)).json();
  return items.find((each: { reference: string }) => each.reference === reference);
};
const ordered = async () => {
  const reference = newReference();
  expect((await payOut({ reference })).statusCode).toBe(200);
  return reference;
};
const run = (provider: Parameters<typeof carry>[0] | undefined, more: object = {}) =>
  sendPayouts({ ...server.resources, payoutProvider: provider, ...more });
/** A run of a worker that has written down that it sends one, and dies before it can write down what it was answered. */
const runAndDie = async (provider: Parameters<typeof carry>[0]) => {
  server.clock.advance(60_000);
  let isRecorded = false;
  const transact: Transact = async (work) => {
    if (isRecorded) throw new Error('the worker died');
    isRecorded = true;
    return server.resources.transact(work);
  };
  await run(provider, { transact }).catch(() => undefined);
};

describe('what may have been sent is not sent again', () => {
  it('when the provider cannot be reached to be asked about it', async () => {
    const reference = await ordered();
    const script = scriptedProvider({ verifies: ['NOT_SENT', 'NOT_SENT', 'SUCCESSFUL'] });
    await runAndDie(script.provider);
    for (let at = 0; at < 3; at++) await carry(script.provider);
    expect([script.sent.length, script.asked]).toEqual([1, 3]);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('when its worker, late, says that it sent nothing, and another has asked about it meanwhile', async () => {
    const reference = await ordered();
    const other = scriptedProvider({ verifies: ['PENDING'] });
    const late = scriptedProvider({ sends: ['NOT_SENT'], whileSending: () => carry(other.provider) });
    await carry(late.provider);
    expect(await shown(reference)).toMatchObject({ state: 'SENT' });
    await carry(other.provider);
    expect([late.sent.length, other.sent.length]).toEqual([1, 0]);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('and what the provider has had is never counted as not sent', async () => {
    const reference = await ordered();
    const script = scriptedProvider({ sends: ['PENDING'], verifies: ['NOT_FOUND', 'NOT_FOUND', 'SUCCESSFUL'] });
    await carry(script.provider);
    await carry(script.provider, HOUR_MS);
    await carry(script.provider, HOUR_MS);
    expect(await shown(reference)).toMatchObject({ state: 'UNKNOWN', contradiction: 'NOT_FOUND' });
    await carry(script.provider, HOUR_MS);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });
});

describe('what is held is not held for ever', () => {
  it('when the answer to a question comes after it went back to be sent', async () => {
    const reference = await ordered();
    const { id } = await shown(reference);
    const [asked, carried] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const whileAsked = async () => {
      asked.resolve();
      await carried.promise;
    };
    const asker = scriptedProvider({ verifies: ['NOT_FOUND'], whileAsked });
    let verified: Promise<unknown> | undefined;
    const whileSending = async () => {
      verified ??= verifyPayout({ ...server.resources, payoutProvider: asker.provider }, { id, actor: 'cli' });
      await asked.promise;
    };
    const script = scriptedProvider({ sends: ['NOT_SENT', 'SUCCESSFUL'], whileSending });
    await carry(script.provider);
    carried.resolve();
    await verified;
    expect(await shown(reference)).toMatchObject({ state: 'PENDING' });
    await carry(script.provider);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('when there is no provider any more: what was sent can be marked, and so can what was not', async () => {
    const sent = await ordered();
    await runAndDie(scriptedProvider().provider);
    const waits = await ordered();
    server.clock.advance(60_000);
    await run(undefined);
    expect(await shown(sent)).toMatchObject({ state: 'UNKNOWN' });
    expect(await shown(waits)).toMatchObject({ state: 'PENDING' });
    const reason = 'the provider was given up';
    const { id } = await shown(waits);
    const success = markPayout(server.resources, { id, outcome: 'SUCCESSFUL', reason, actor: 'two' });
    await expect(success).rejects.toMatchObject({ code: 'PAYOUT_STATE_CONFLICT' });
    for (const reference of [sent, waits])
      await markPayout(server.resources, { id: (await shown(reference)).id, outcome: 'FAILED', reason, actor: 'two' });
    for (const reference of [sent, waits]) expect(await read(reference)).toMatchObject({ Status: 'Failed' });
  });

  it('when its provider changed before it was sent: the new one carries it and is asked about it', async () => {
    const reference = await ordered();
    const script = scriptedProvider({ name: 'paystack', sends: ['UNKNOWN'], verifies: ['SUCCESSFUL'] });
    await carry(script.provider);
    await carry(script.provider);
    expect([script.sent.length, script.asked]).toEqual([1, 1]);
    expect(await shown(reference)).toMatchObject({ state: 'SUCCESSFUL', provider: 'paystack' });
  });

  it('when one row of many cannot be carried', async () => {
    const references = await Promise.all([ordered(), ordered(), ordered()]);
    const { id } = await shown(references[0] ?? '');
    const spoil = 'update payouts.payout set account_number_sealed = account_number_sealed || $2 where id = $1';
    await server.owner.query(spoil, [id, Buffer.from('x')]);
    await carry();
    const statuses = await Promise.all(references.slice(1).map(async (reference) => (await read(reference)).Status));
    expect(statuses).toEqual(['Successful', 'Successful']);
    const mend =
      'update payouts.payout set account_number_sealed = substr(account_number_sealed, 1, length(account_number_sealed) - 1) where id = $1';
    await server.owner.query(mend, [id]);
    expect(await shown(references[0] ?? '')).toMatchObject({ state: 'PENDING' });
    await markPayout(server.resources, { id, outcome: 'FAILED', reason: 'it was never sent', actor: 'two' });
  });
});

describe('what is known already stands', () => {
  it('when operators say otherwise a moment after the provider did', async () => {
    const reference = await ordered();
    await carry(scriptedProvider({ sends: ['UNKNOWN'] }).provider);
    const { id } = await shown(reference);
    let settled = false;
    const transact: typeof server.resources.transact = async (work) => {
      if (!settled) {
        settled = true;
        await carry();
      }
      return server.resources.transact(work);
    };
    const marked = markPayout({ ...server.resources, transact }, { id, outcome: 'FAILED', reason: 'x', actor: 'two' });
    await expect(marked).rejects.toMatchObject({ code: 'PAYOUT_STATE_CONFLICT' });
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('when the provider says otherwise of one that failed, which operators see', async () => {
    const reference = await ordered();
    await carry(scriptedProvider({ sends: ['UNKNOWN'] }).provider);
    const { id } = await shown(reference);
    let asked = false;
    const mark = async () => {
      if (asked) return;
      asked = true;
      await markPayout(server.resources, { id, outcome: 'FAILED', reason: 'x', actor: 'two' });
    };
    await carry(scriptedProvider({ whileAsked: mark }).provider);
    expect(await shown(reference)).toMatchObject({ state: 'FAILED', contradiction: 'SUCCESSFUL' });
    const { items } = (await server.operate('GET', '/payouts?contradicted=true')).json();
    expect(items.map((each: { reference: string }) => each.reference)).toContain(reference);
    const again = { ...server.resources, payoutProvider: scriptedProvider().provider };
    await expect(verifyPayout(again, { id, actor: 'operator:root' })).resolves.toMatchObject({
      state: 'FAILED',
      contradiction: 'SUCCESSFUL',
    });
    expect(await read(reference)).toMatchObject({ Status: 'Failed' });
  });

  it.each(['Blocked', 'PNC'])('and comes back into suspense when its wallet is %s', async (status) => {
    const own = await fundedWallet(server, 5_000);
    const reference = newReference();
    const payload = { amount: 1000, reference, ...ACCOUNT };
    await server.call('POST', `/v2/partner/wallet/${own.wallet}/payout`, { headers: own.partner.headers, payload });
    const script = scriptedProvider({ verifies: ['REVERSED'], recheckAfterMs: 60_000 });
    await carry(script.provider);
    await changeWallet(server, own.wallet, { status });
    await carry(script.provider, HOUR_MS);
    expect(await shown(reference, own.wallet)).toMatchObject({ state: 'REVERSED' });
    const { rows } = await server.owner.query(
      `select r.status, r.pending_reason from ledger.transaction r join ledger.transaction t on t.id = r.original_id
        where t.reference = $1`,
      [reference],
    );
    expect(rows).toEqual([{ status: 'Pending', pending_reason: `WALLET_${status.toUpperCase()}` }]);
  });

  it('and neither a partner nor an operator undoes what the rail says', async () => {
    const reference = await ordered();
    const script = scriptedProvider({ verifies: ['REVERSED'], recheckAfterMs: 60_000 });
    await carry(script.provider);
    const refunded = await server.call('POST', `/v2/partner/transaction/${reference}/refund`, {
      headers: payouts.partner.headers,
      payload: { reference: newReference() },
    });
    expect(refunded.json().errorCode).toBe('TRANSACTION_NOT_REFUNDABLE');
    await carry(script.provider, HOUR_MS);
    const { rows } = await server.owner.query<{ id: string; reference: string }>(
      `select r.id, r.reference from ledger.transaction r join ledger.transaction t on t.id = r.original_id
        where t.reference = $1 and r.code is null`,
      [reference],
    );
    const reversed = await server.operate('POST', `/transactions/${rows[0]?.reference}/reverse`, {
      reference: newReference(),
      reason: 'a trial',
      id: Number(rows[0]?.id),
    });
    expect(reversed.json().errorCode).toBe('TRANSACTION_NOT_REVERSIBLE');
  });
});

it('and the books tie afterwards', async () => {
  const { ok, checks } = (await server.operate('GET', '/ledger/check')).json();
  expect(checks.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
  expect(ok).toBe(true);
});
