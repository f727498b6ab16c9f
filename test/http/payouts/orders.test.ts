import { describe, expect, it } from 'vitest';
import { sendPayouts } from '#modules/payouts';
import { payoutSimulator } from '../../../src/providers/simulators.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { callEndpoints, newEndpoint } from '../../support/deliveries.ts';
import { ACCOUNT, payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { refusalOf } from '../../support/refusals.ts';
import { changeWallet, fundedWallet, loggedIn, moveMoney, newReference } from '../../support/wallets.ts';

describe('a payout', () => {
  const server = useApp({ FEE_PAYOUT: '25', FEE_STAMP_DUTY: '50>=100' });
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const payouts = payoutsOf(server);
  const { payOut, read, walletNow, carry } = payouts;

  const events = async (reference: string) => {
    const { rows } = await server.owner.query<{ event: string; body: string }>(
      `select event, body from outbox.event where body like '%"Reference":"' || $1 || '"%' order by id`,
      [reference],
    );
    return rows.map(({ event, body }) => ({ event, data: JSON.parse(body).data }));
  };

  describe('a payout', () => {
    it('holds amount and charges until it succeeds, and is told as one debit', async () => {
      const before = await walletNow();
      const reference = newReference();
      const ordered = await payOut({ reference, comment: 'rent' });
      expect(ordered.json()).toMatchObject({
        Type: 'PAYOUT',
        Status: 'Pending',
        Amount: 1000,
        Fee: 75,
        Reference: reference,
      });
      expect(ordered.json()).not.toHaveProperty('ClosingBalance');
      const held = await walletNow();
      expect(held).toMatchObject({ TotalAmount: before.TotalAmount, SuspendedAmount: before.SuspendedAmount + 1075 });
      expect(await events(reference)).toEqual([]);

      const { provider, sent } = scriptedProvider();
      await carry(provider);
      expect(sent).toMatchObject([{ amount: 100_000n, ...ACCOUNT, accountName: 'OKAFOR CHIDI' }]);
      const done = await read(reference);
      expect(done).toMatchObject({ Status: 'Successful', Amount: 1000, Fee: 75, Net: 1000 });
      const after = await walletNow();
      expect(after).toMatchObject({ TotalAmount: before.TotalAmount - 1075, SuspendedAmount: before.SuspendedAmount });
      expect(done.ClosingBalance).toBe(after.TotalAmount);
      expect(await events(reference)).toMatchObject([
        {
          event: 'wallet.debited',
          data: { Amount: -1075, Transaction: { Amount: 1000, Fee: 75, Reference: reference } },
        },
      ]);
    });
    it('that the provider refuses is Failed, says why, gives back what was held and tells nothing', async () => {
      const before = await walletNow();
      const reference = newReference();
      await payOut({ reference });
      await carry(scriptedProvider({ sends: ['FAILED'] }).provider);
      expect(await read(reference)).toMatchObject({ Status: 'Failed', FailureReason: 'PAYOUT_REFUSED' });
      expect(await walletNow()).toMatchObject({ AvailableAmount: before.AvailableAmount, SuspendedAmount: 0 });
      expect(await events(reference)).toEqual([]);
    });

    it('of unknown end is asked about at growing intervals, and never sent a second time', async () => {
      const reference = newReference();
      await payOut({ reference });
      const script = scriptedProvider({
        sends: ['UNKNOWN'],
        verifies: ['UNKNOWN', 'PENDING', 'NOT_FOUND', 'SUCCESSFUL'],
      });
      for (let run = 0; run < 5; run++) await carry(script.provider);
      expect(script.sent).toHaveLength(1);
      expect(script.asked).toBe(4);
      expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });

    it('that its provider never had counts as not sent after a while, and is given back', async () => {
      const reference = newReference();
      await payOut({ reference });
      const script = scriptedProvider({ sends: ['UNKNOWN'], verifies: ['NOT_FOUND', 'NOT_FOUND'] });
      await carry(script.provider);
      await carry(script.provider);
      expect(await read(reference)).toMatchObject({ Status: 'Pending' });
      await carry(script.provider, HOUR_MS);
      expect(await read(reference)).toMatchObject({ Status: 'Failed', FailureReason: 'PAYOUT_NOT_SENT' });
    });

    it('waits while its provider is away, and is sent when it is back', async () => {
      const reference = newReference();
      await payOut({ reference });
      const script = scriptedProvider({ sends: ['NOT_SENT', 'NOT_SENT', 'SUCCESSFUL'] });
      for (let run = 0; run < 3; run++) await carry(script.provider);
      expect(new Set(script.sent.map((order) => order.reference)).size).toBe(1);
      expect(script.asked).toBe(0);
      expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });

    it('that the bank sends back comes back by a posting that names it, charges included', async () => {
      const before = await walletNow();
      const reference = newReference();
      await payOut({ reference });
      const { provider } = scriptedProvider({ verifies: ['REVERSED', 'REVERSED'], recheckAfterMs: MINUTE_MS });
      await carry(provider);
      await carry(provider, HOUR_MS);
      await carry(provider, HOUR_MS);
      expect(await read(reference)).toMatchObject({ Status: 'Reversed' });
      expect(await walletNow()).toMatchObject({ TotalAmount: before.TotalAmount, SuspendedAmount: 0 });
      const { rows } = await server.owner.query<{ body: string }>(
        `select body from outbox.event where event = 'wallet.credited' and body like '%"ExternalReference":"' || $1 || '"%'`,
        [reference],
      );
      expect(rows.map(({ body }) => JSON.parse(body).data.Amount)).toEqual([1075]);
    });

    it('that was paid and of which its provider then has another is shown once, and asked about no more', async () => {
      const before = await walletNow();
      const reference = newReference();
      await payOut({ reference });
      const script = scriptedProvider({ verifies: ['DIFFERENT', 'DIFFERENT'], recheckAfterMs: MINUTE_MS });
      for (let run = 0; run < 3; run++) await carry(script.provider, HOUR_MS);
      expect(script.asked).toBe(1);
      expect(await read(reference)).toMatchObject({ Status: 'Successful' });
      expect(await walletNow()).toMatchObject({ TotalAmount: before.TotalAmount - 1075 });
      const { items } = (await server.operate('GET', '/payouts?contradicted=true')).json();
      expect(items).toMatchObject([{ state: 'SUCCESSFUL', contradiction: 'NOT_FOUND' }]);
    });

    it('of which the sandbox says nothing for an hour succeeds once time is marked forward', async () => {
      const reference = newReference();
      await payOut({ reference, amount: 500.03 });
      const runs = async () => {
        server.clock.advance(MINUTE_MS);
        await sendPayouts({ ...server.resources, payoutProvider: payoutSimulator(server.clock) });
      };
      await runs();
      await runs();
      expect(await read(reference)).toMatchObject({ Status: 'Pending' });
      const payload = { seconds: 3_600 };
      const moved = await server.call('POST', '/v2/sandbox/time', { headers: payouts.partner.headers, payload });
      expect(moved.json().moved.payouts).toBeGreaterThan(0);
      await runs();
      expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });

    it('of a wallet that was frozen before it was sent is not sent', async () => {
      const own = await fundedWallet(server, 5_000);
      const reference = newReference();
      const payload = { amount: 1000, reference, ...ACCOUNT };
      await server.call('POST', `/v2/partner/wallet/${own.wallet}/payout`, { headers: own.partner.headers, payload });
      await server.operate('PATCH', `/wallets/${own.wallet}`, { status: 'PND', reason: 'a freeze' });
      const script = scriptedProvider();
      await carry(script.provider);
      expect(script.sent).toEqual([]);
      const answer = await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: own.partner.headers });
      expect(answer.json()).toMatchObject({ Status: 'Failed', FailureReason: 'WALLET_PND' });
    });

    it('that left is booked whatever the state of its wallet is by then', async () => {
      const own = await fundedWallet(server, 5_000);
      const reference = newReference();
      const payload = { amount: 1000, reference, ...ACCOUNT };
      await server.call('POST', `/v2/partner/wallet/${own.wallet}/payout`, { headers: own.partner.headers, payload });
      const script = scriptedProvider({ sends: ['PENDING'] });
      await carry(script.provider);
      await server.operate('PATCH', `/wallets/${own.wallet}`, { status: 'Blocked', reason: 'a freeze' });
      await carry(script.provider);
      const answer = await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: own.partner.headers });
      expect(answer.json()).toMatchObject({ Status: 'Successful' });
    });

    it('is sent once however many workers look at the same moment', async () => {
      const references = Array.from({ length: 12 }, newReference);
      await Promise.all(references.map((reference) => payOut({ reference, amount: 200 })));
      const script = scriptedProvider();
      server.clock.advance(MINUTE_MS);
      const workers = Array.from({ length: 8 }, async () =>
        sendPayouts({ ...server.resources, payoutProvider: script.provider }),
      );
      await Promise.all(workers);
      expect(script.sent).toHaveLength(references.length);
      const statuses = await Promise.all(references.map(async (reference) => (await read(reference)).Status));
      expect(new Set(statuses)).toEqual(new Set(['Successful']));
    });
  });

  it('and the books tie afterwards', async () => {
    const check = (await server.operate('GET', '/ledger/check')).json<{
      ok: boolean;
      checks: { violations: number }[];
    }>();
    expect(check.checks.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(check.ok).toBe(true);
  });
});

describe('a request for a payout', () => {
  const server = useApp();
  const payouts = payoutsOf(server);
  const { payOut, carry } = payouts;

  describe('a request for a payout', () => {
    it.each(['SUCCESSFUL', 'FAILED'] as const)('that is repeated answers as it did, though it is %s', async (end) => {
      const reference = newReference();
      const first = await payOut({ reference });
      await carry(scriptedProvider({ sends: [end] }).provider);
      const again = await payOut({ reference });
      expect(again.json()).toEqual(first.json());
      expect((await payOut({ reference, amount: 1001 })).json()).toMatchObject({ errorCode: 'REFERENCE_REUSED' });
      const credit = await moveMoney(server, payouts.partner, payouts.wallet, 'credit', { amount: 5, reference });
      expect(credit.json()).toMatchObject({ errorCode: 'REFERENCE_REUSED' });
    });

    it('of which twenty come at once orders one payout', async () => {
      const reference = newReference();
      const answers = await Promise.all(Array.from({ length: 20 }, () => payOut({ reference })));
      expect(new Set(answers.map((answer) => answer.json().ID)).size).toBe(1);
      const script = scriptedProvider();
      await carry(script.provider);
      expect(script.sent).toHaveLength(1);
    });

    it.each([
      ['an account that is not there', { accountNumber: '0123456781' }, 400, 'BANK_ACCOUNT_NOT_FOUND'],
      ['a name that the bank does not say', { accountName: 'Bola Ade' }, 400, 'ACCOUNT_NAME_MISMATCH'],
      ['one word of a name', { accountName: 'Chidi' }, 400, 'ACCOUNT_NAME_MISMATCH'],
      ['more than there is', { amount: 1_000_000 }, 422, 'INSUFFICIENT_FUNDS'],
      ['less than the rail carries', { amount: 0.5 }, 422, 'AMOUNT_TOO_SMALL'],
      ['nothing', { amount: 0 }, 400, 'INVALID_PARAMETER'],
      ['a bank that is none', { bankCode: 'x' }, 400, 'INVALID_PARAMETER'],
    ])('with %s is refused, and orders nothing', async (_, given, status, errorCode) => {
      expect(refusalOf(await payOut(given))).toEqual([status, errorCode]);
      const script = scriptedProvider();
      await carry(script.provider);
      expect(script.sent).toEqual([]);
    });

    it('with the name that the bank says is taken', async () => {
      expect((await payOut({ accountName: 'chidi OKAFOR' })).statusCode).toBe(200);
    });

    it('from a wallet of points, or of another partner, is refused', async () => {
      const points = await server.call('POST', '/v2/partner/wallet', {
        headers: payouts.partner.headers,
        payload: { kyc: { firstName: 'Chidi', lastName: 'Okafor' }, currency: 'FP' },
      });
      expect((await payOut({}, points.json().Reference)).json().errorCode).toBe('CURRENCY_MISMATCH');
      const other = await fundedWallet(server, 1_000);
      expect((await payOut({}, other.wallet)).json().errorCode).toBe('WALLET_NOT_FOUND');
    });
  });
});

describe('the events of a payout', () => {
  const server = useApp({ FEE_PAYOUT: '10' });
  const OF_PAYOUTS = ['payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed'];

  /** What was told of payouts to the endpoints of a partner, in order, and whether it can be sent now. */
  async function told({ id }: TestPartner) {
    const { rows } = await server.owner.query<{ to: string; due: boolean; body: string }>(
      `select d.receiver_id as to, d.due_at is not null as due, e.body
      from webhooks.delivery d join outbox.event e on e.id = d.event_id
      join outbox.receiver r on r.id = d.receiver_id
      join outbox.receiver o on o.id = coalesce(r.default_id, r.id)
      where o.owner_id = $1 and e.event like 'payout.%' order by d.id`,
      [id],
    );
    return rows.map(({ to, due, body }) => ({ to, due, ...JSON.parse(body) }));
  }

  const payOut = (partner: TestPartner, wallet: string, payload: object) =>
    server.call('POST', `/v2/partner/wallet/${wallet}/payout`, {
      headers: partner.headers,
      payload: { ...ACCOUNT, ...payload },
    });

  async function carry(provider = server.resources.payoutProvider): Promise<void> {
    server.clock.advance(60_000);
    await sendPayouts({ ...server.resources, payoutProvider: provider });
  }

  it('endpoints that name the events are told what becomes of a payout, and no others', async () => {
    const { partner, wallet } = await fundedWallet(server, 1_000);
    const to = await newEndpoint(server, partner, { events: OF_PAYOUTS });
    await newEndpoint(server, partner, { events: ['wallet.debited'] });
    await newEndpoint(server, partner);
    await payOut(partner, wallet, { amount: 100.01, reference: 'refused', comment: 'Invoice 17' });
    await carry();
    const transaction = { Amount: 100.01, Fee: 10, Reference: 'refused', ExternalReference: '', Comment: 'Invoice 17' };
    const about = { Wallet: wallet, BankName: expect.any(String), SentAt: expect.any(String) };
    expect(await told(partner)).toMatchObject([
      {
        to,
        event: 'payout.sent',
        reference: 'refused',
        data: { ...about, FailureReason: '', Transaction: { ...transaction, Status: 'Pending' } },
      },
      {
        to,
        event: 'payout.failed',
        reference: 'refused',
        data: { ...about, FailureReason: 'PAYOUT_REFUSED', Transaction: { ...transaction, Status: 'Failed' } },
      },
    ]);
    expect(JSON.stringify(await told(partner))).not.toContain(ACCOUNT.accountNumber);
    const read = await server.call('GET', '/v2/partner/transaction/refused', { headers: partner.headers });
    expect(read.json()).toMatchObject({ Status: 'Failed', FailureReason: 'PAYOUT_REFUSED' });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it.each([
    ['paid', { sends: ['SUCCESSFUL'] }, ['payout.sent', 'payout.successful']],
    ['refused', { sends: ['FAILED'] }, ['payout.sent', 'payout.failed']],
    [
      'of unknown end, then paid',
      { sends: ['UNKNOWN'], verifies: ['SUCCESSFUL'] },
      ['payout.sent', 'payout.successful'],
    ],
    ['of unknown end, then refused', { sends: ['UNKNOWN'], verifies: ['FAILED'] }, ['payout.sent', 'payout.failed']],
    [
      'sent back before it was known to be paid',
      { sends: ['PENDING'], verifies: ['REVERSED'] },
      ['payout.sent', 'payout.successful', 'payout.reversed'],
    ],
    [
      'sent back after it was paid',
      { sends: ['SUCCESSFUL'], verifies: ['REVERSED'], recheckAfterMs: 1 },
      ['payout.sent', 'payout.successful', 'payout.reversed'],
    ],
    ['not reached at first', { sends: ['NOT_SENT'] }, ['payout.sent', 'payout.sent', 'payout.successful']],
  ] as const)('of one that is %s: each once', async (_what, { sends, ...script }, events) => {
    const { partner, wallet } = await fundedWallet(server, 1_000);
    await newEndpoint(server, partner, { events: OF_PAYOUTS });
    const verifies = 'verifies' in script ? [...script.verifies] : [];
    const { provider } = scriptedProvider({ ...script, sends: [...sends], verifies });
    await payOut(partner, wallet, { amount: 100, reference: 'one' });
    for (let run = 0; run < 4; run++) await carry(provider);
    expect((await told(partner)).map(({ event }) => event)).toEqual(events);
  });

  it('of one that was never sent: that it failed, and why', async () => {
    const { partner, wallet } = await fundedWallet(server, 1_000);
    await newEndpoint(server, partner, { events: OF_PAYOUTS });
    await payOut(partner, wallet, { amount: 100, reference: 'frozen' });
    await changeWallet(server, wallet, { status: 'PND' });
    await carry();
    const [only, ...others] = await told(partner);
    expect(only).toMatchObject({ event: 'payout.failed', data: { FailureReason: 'WALLET_PND' } });
    expect(only?.data).not.toHaveProperty('SentAt');
    expect(others).toEqual([]);
  });

  it('of a customer’s payout their own reference is told beside ours, at the wallet’s partner', async () => {
    const partner = await server.newPartner({ float: 1_000 });
    const ada = await loggedIn(server, partner, 1_000);
    await newEndpoint(server, partner, { events: ['payout.successful'] });
    const { headers } = ada;
    await server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: ACCOUNT });
    const ordered = await server.call('POST', '/v2/sso/payout', {
      headers,
      payload: { amount: 100, reference: 'rent' },
    });
    await carry();
    const { Reference } = ordered.json<{ Reference: string }>();
    expect(await told(partner)).toMatchObject([
      { reference: Reference, data: { Wallet: ada.wallet, Transaction: { Reference, ExternalReference: 'rent' } } },
    ]);
  });

  it('an endpoint that is paused is told once it is resumed', async () => {
    const { partner, wallet } = await fundedWallet(server, 1_000);
    const endpoint = await newEndpoint(server, partner, { events: ['payout.failed'] });
    await callEndpoints(server, partner, 'POST', `/${endpoint}/pause`, { reason: 'repairs' });
    await payOut(partner, wallet, { amount: 100.01, reference: 'refused' });
    await carry();
    expect(await told(partner)).toMatchObject([{ to: endpoint, event: 'payout.failed', due: false }]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('what is told while an endpoint has no URL is kept, and sent once it has one', async () => {
    const { partner, wallet } = await fundedWallet(server, 1_000);
    const [byDefault] = (await callEndpoints(server, partner, 'GET')).json().items;
    await callEndpoints(server, partner, 'PATCH', `/${byDefault?.id}`, { events: ['wallet.debited', 'payout.failed'] });
    await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload: { url: null } });
    await payOut(partner, wallet, { amount: 100.01, reference: 'refused' });
    await carry();
    expect(await told(partner)).toMatchObject([{ to: byDefault?.id, event: 'payout.failed' }]);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
