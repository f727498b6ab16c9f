import { describe, expect, it } from 'vitest';
import { type Answer, useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  decide,
  initiate,
  newSide,
  newTag,
  offer,
  see,
  setTagStatus,
  transactionEvents,
  walletTotals,
} from '../../support/switch.ts';
import { changeWallet, loggedIn } from '../../support/wallets.ts';

const server = useApp({ FEE_SWITCH: '1%', FEE_STAMP_DUTY: '50>=10000' });
const HOUR_MS = 60 * 60 * 1000;
const MILLION = 100_000_000;

describe('POST /transactions', () => {
  const inHours = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR_MS).toISOString();

  it('holds amount and fee on the sender’s wallet, and shows the transaction in the Envelope', async () => {
    const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
    const asked = { receiverTag: market.tag, amount: 1500.5, reference: 'order-1', narration: 'two fridges' };
    const answer = await initiate(server, acme, asked);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data, ...envelope } = answer.json();
    expect(envelope).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
    });
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reference: 'order-1',
      senderTag: acme.tag,
      senderAppName: 'Acme',
      senderAppId: acme.applicationId,
      receiverTag: market.tag,
      receiverAppName: 'Market',
      receiverAppId: market.applicationId,
      amount: 1500.5,
      currency: 'NGN',
      status: 'AWAITING_ACCEPTANCE',
      narration: 'two fridges',
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      fee: 15.01,
      webhooks: [],
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(72 * HOUR_MS);
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 151_551 });
    expect(await walletTotals(server, market)).toEqual({ total: MILLION, held: 0 });
  });

  it('notifies only the receiver, with all members of the transaction and no webhook records yet', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { webhooks: _webhooks, ...data } = await offer(server, acme, market);
    expect(await transactionEvents(server, market)).toEqual([
      {
        event: 'TRANSACTION_INITIATED',
        reference: data.reference,
        data: { ...data, narration: '', rejectionReason: '', webhooks: [] },
      },
    ]);
    expect(await transactionEvents(server, acme)).toEqual([]);
  });

  it('takes addresses in any way of writing, gives a reference where none is sent, and leaves out what is empty', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const receiverTag = `@${market.tag.toUpperCase()}@${market.namespace}`;
    const answer = await initiate(server, acme, { receiverTag, reference: '', narration: null, expiresAt: null });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().data).toMatchObject({ receiverTag: market.tag, reference: expect.stringMatching(/^TXN-/) });
    expect(answer.json().data).not.toHaveProperty('narration');
  });

  it('waits as long as it is asked to', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const expiresAt = inHours(1);
    expect(await offer(server, acme, market, { expiresAt })).toMatchObject({ expiresAt });
    const offset = `${inHours(30 * 24 - 1).slice(0, 19)}+00:00`;
    expect(await offer(server, acme, market, { expiresAt: offset })).toHaveProperty('id');
  });

  it('goes between tags of one application, and in points', async () => {
    const acme = await newSide(server);
    const other = { ...acme, tag: await newTag(server, acme) };
    expect(await offer(server, acme, other)).toMatchObject({ senderAppId: acme.applicationId });
    const funding = { amount: 10, currency: 'FP', reference: `fp-${acme.applicationId}` };
    await server.operate('POST', `/applications/${acme.applicationId}/fund`, funding);
    const points = await initiate(server, acme, { receiverTag: other.tag, amount: 9.9, currency: 'FP' });
    expect(points.json()).toMatchObject({ data: { currency: 'FP', fee: 0.1, status: 'AWAITING_ACCEPTANCE' } });
  });

  it('to a PayTag: pays its customer’s primary wallet at once, and notifies its partner and the sender', async () => {
    const acme = await newSide(server, 'Acme');
    const ada = await loggedIn(server, await server.newPartner());
    const asked = { receiverTag: ada.paytag, amount: 20_000, reference: 'wages-1', narration: 'May' };
    const answer = await initiate(server, acme, asked);
    expect(answer.statusCode).toBe(201);
    expect(answer.json().data).toMatchObject({
      status: 'ACCEPTED',
      receiverAppName: 'PayTag',
      fee: 200,
      acceptedAt: expect.any(String),
      webhooks: [{ eventType: 'TRANSACTION_ACCEPTED', direction: 'SENDER', status: 'PENDING' }],
    });
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION - 2_020_000, held: 0 });
    const [credited] = await eventsOf(server, ada.wallet);
    expect(credited).toMatchObject({
      event: 'wallet.credited',
      data: {
        Amount: 19_950,
        Transaction: {
          Amount: 20_000,
          Fee: 0,
          Reference: `SWT-${answer.json().data.id}`,
          ExternalReference: '',
          Comment: 'May',
        },
        ClosingBalance: 19_950,
      },
    });
    expect(await transactionEvents(server, acme)).toMatchObject([
      { event: 'TRANSACTION_ACCEPTED', reference: 'wages-1' },
    ]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a customer’s daily limit does not apply to money they receive', async () => {
    const acme = await newSide(server);
    const ada = await loggedIn(server, await server.newPartner());
    expect((await initiate(server, acme, { receiverTag: ada.paytag, amount: 900_000 })).statusCode).toBe(201);
  });

  describe('201 again', () => {
    /** All of an answer but its own time. */
    const answered = (answer: Answer) => ({ ...answer.json(), statusCode: answer.statusCode, timestamp: undefined });

    it('a repeated reference answers as it did, whatever has become of the transaction, its tags and its time', async () => {
      const [acme, market] = [await newSide(server), await newSide(server)];
      const asked = { receiverTag: market.tag, reference: 'again', expiresAt: inHours(1) };
      const first = await initiate(server, acme, asked);
      const again = () => initiate(server, acme, { ...asked, receiverTag: `@${market.tag}`, narration: '' });
      const { id } = first.json<{ data: { id: string } }>().data;
      expect(answered(await again())).toEqual(answered(first));
      await setTagStatus(server, market.tag, 'SUSPENDED');
      expect(answered(await again())).toEqual(answered(first));
      expect(await walletTotals(server, acme)).toMatchObject({ held: 10_100 });
      await decide(server, market, id, 'reject');
      expect(answered(await again())).toEqual(answered(first));
      expect((await see(server, acme, id)).json().data).toMatchObject({ status: 'REJECTED' });
      await setTagStatus(server, acme.tag, 'CLOSED');
      server.clock.advance(10 * 60 * 1000);
      expect(answered(await again())).toEqual(answered(first));
      expect((await initiate(server, acme, { ...asked, amount: 101 })).json().errorCode).toBe('REFERENCE_REUSED');
      expect(await transactionEvents(server, market)).toHaveLength(1);
      expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 0 });
    });

    it('so does a payment to a PayTag after its webhook was delivered, sent again and given another URL', async () => {
      const acme = await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/acme' });
      const ada = await loggedIn(server, await server.newPartner());
      const asked = { receiverTag: ada.paytag, reference: 'wages-2' };
      const first = await initiate(server, acme, asked);
      const { headers } = acme;
      await server.owner.query(
        `update webhooks.delivery set status = 'DELIVERED', attempts = 1, delivered_at = now(), last_attempt_at = now(),
         updated_at = now() where id = $1`,
        [first.json().data.webhooks[0].id],
      );
      await server.operate('POST', `/deliveries/${first.json().data.webhooks[0].id}/resend`);
      await server.call('PUT', '/api/v1/applications/webhook', { headers, payload: { url: 'http://127.0.0.1:9/new' } });
      await setTagStatus(server, ada.paytag, 'CLOSED');
      expect(answered(await initiate(server, acme, asked))).toEqual(answered(first));
      const { webhooks } = (await see(server, acme, first.json().data.id)).json().data;
      expect(webhooks).toMatchObject([{ status: 'DELIVERED' }, { status: 'PENDING' }]);
    });

    it('50 concurrent requests with one reference make one', async () => {
      const [acme, market] = [await newSide(server), await newSide(server)];
      const asked = { receiverTag: market.tag, reference: 'twins' };
      const answers = await Promise.all(Array.from({ length: 50 }, () => initiate(server, acme, asked)));
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.json().data))).size).toBe(1);
      expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 10_100 });
    });

    it('two applications may use one reference', async () => {
      const [acme, market] = [await newSide(server), await newSide(server)];
      const one = await offer(server, acme, market, { reference: 'same' });
      const other = await offer(server, market, acme, { reference: 'same' });
      expect(one.id).not.toBe(other.id);
    });
  });

  it('an Idempotency-Key answers as the first did, and is refused with another body', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const headers = { ...acme.headers, 'idempotency-key': 'k-1' };
    const payload = { senderTag: acme.tag, receiverTag: market.tag, amount: 5, currency: 'NGN' };
    const send = (body: object) => server.call('POST', '/api/v1/transactions', { headers, payload: body });
    const [first, again] = [await send(payload), await send(payload)];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await send({ ...payload, amount: 6 })).json().errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await walletTotals(server, acme)).toMatchObject({ held: 505 });
  });
});

describe('POST /transactions', () => {
  const alone = useApp({ FEE_SWITCH: '1%' });
  const inHours = (hours: number) => new Date(alone.clock.now().getTime() + hours * HOUR_MS).toISOString();

  it('400: an expiry a moment too late or too early leaves the reference free', async () => {
    const [acme, market] = [await newSide(alone), await newSide(alone)];
    for (const expiresAt of [inHours(30 * 24 + 1), inHours(-1)]) {
      const answer = await initiate(alone, acme, { receiverTag: market.tag, reference: 'late', expiresAt });
      expect(answer.statusCode).toBe(400);
    }
    expect((await initiate(alone, acme, { receiverTag: market.tag, reference: 'late' })).statusCode).toBe(201);
  });

  it('409: a reference with other content, each part of it', async () => {
    const [acme, market] = [await newSide(alone), await newSide(alone)];
    const asked = { receiverTag: market.tag, reference: 'taken', narration: 'first', expiresAt: inHours(5) };
    await initiate(alone, acme, asked);
    const another = await newTag(alone, market);
    const own = await newTag(alone, acme);
    const changes = [
      { receiverTag: another },
      { senderTag: own },
      { amount: 100.01 },
      { currency: 'FP' },
      { narration: 'second' },
      { narration: undefined },
      { expiresAt: undefined },
    ];
    for (const change of changes) {
      expect(refusalOf(await initiate(alone, acme, { ...asked, ...change }))).toEqual([409, 'REFERENCE_REUSED']);
    }
  });

  it('422: more than there is with its fee: nothing is held or published, and the reference stays declined when there is enough later', async () => {
    const [acme, market] = [await newSide(alone), await newSide(alone)];
    const asked = { receiverTag: market.tag, amount: 1_000_000, reference: 'too-much' };
    expect(refusalOf(await initiate(alone, acme, asked))).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const funding = { amount: 5_000_000, reference: `more-${acme.applicationId}` };
    await alone.operate('POST', `/applications/${acme.applicationId}/fund`, funding);
    expect((await initiate(alone, acme, asked)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
    expect((await initiate(alone, acme, { ...asked, amount: 1 })).json().errorCode).toBe('REFERENCE_REUSED');
    expect(await walletTotals(alone, acme)).toMatchObject({ held: 0 });
    expect(await transactionEvents(alone, market)).toEqual([]);
    expect((await initiate(alone, acme, { ...asked, reference: 'enough' })).statusCode).toBe(201);
  });

  it('422: a suspended tag on either side, and its reference stays declined', async () => {
    const [acme, market] = [await newSide(alone), await newSide(alone)];
    for (const suspended of [acme.tag, market.tag]) {
      await setTagStatus(alone, suspended, 'SUSPENDED');
      const asked = { receiverTag: market.tag, reference: `to-${suspended}` };
      expect(refusalOf(await initiate(alone, acme, asked))).toEqual([422, 'TAG_NOT_PAYABLE']);
      await setTagStatus(alone, suspended, 'ACTIVE');
      expect((await initiate(alone, acme, asked)).json().errorCode).toBe('TAG_NOT_PAYABLE');
    }
    expect(await walletTotals(alone, acme)).toEqual({ total: MILLION, held: 0 });
  });

  it.each([
    ['PNC', 'WALLET_PNC'],
    ['Blocked', 'WALLET_BLOCKED'],
  ] as const)('422: a PayTag whose wallet is %s: nothing is held', async (status, code) => {
    const acme = await newSide(alone);
    const ada = await loggedIn(alone, await alone.newPartner());
    await changeWallet(alone, ada.wallet, { status });
    const asked = { receiverTag: ada.paytag, reference: 'refused' };
    expect(refusalOf(await initiate(alone, acme, asked))).toEqual([422, code]);
    await changeWallet(alone, ada.wallet, { status: 'Enabled' });
    expect((await initiate(alone, acme, asked)).json().errorCode).toBe(code);
    expect(await walletTotals(alone, acme)).toEqual({ total: MILLION, held: 0 });
    expect(await eventsOf(alone, ada.wallet)).toEqual([]);
    expect(await transactionEvents(alone, acme)).toEqual([]);
  });

  it('422: points to a PayTag, whose wallet is in naira; a suspended PayTag', async () => {
    const acme = await newSide(alone);
    const ada = await loggedIn(alone, await alone.newPartner());
    const funding = { amount: 500, currency: 'FP', reference: `points-${acme.applicationId}` };
    await alone.operate('POST', `/applications/${acme.applicationId}/fund`, funding);
    const points = await initiate(alone, acme, { receiverTag: ada.paytag, currency: 'FP' });
    expect(refusalOf(points)).toEqual([422, 'CURRENCY_MISMATCH']);
    await setTagStatus(alone, ada.paytag, 'SUSPENDED');
    expect((await initiate(alone, acme, { receiverTag: ada.paytag })).json().errorCode).toBe('TAG_NOT_PAYABLE');
  });

  it('422: of 50 concurrent offers that together exceed the wallet, as many as fit', async () => {
    const [acme, market] = [await newSide(alone), await newSide(alone)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => initiate(alone, acme, { receiverTag: market.tag, amount: 99_000 })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    expect(await walletTotals(alone, acme)).toEqual({ total: MILLION, held: 99_990_000 });
    expect(await brokenInvariants(alone)).toEqual([]);
  });
});
