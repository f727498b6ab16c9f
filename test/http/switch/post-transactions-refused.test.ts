import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { initiate, newSide, newTag, setTagStatus, transactionEvents, walletTotals } from '../../support/switch.ts';
import { changeWallet, loggedIn } from '../../support/wallets.ts';

const server = useApp({ FEE_SWITCH: '1%' });
const HOUR_MS = 60 * 60 * 1000;
const MILLION = 100_000_000;
const inHours = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR_MS).toISOString();

describe('400', () => {
  it('an expiry a moment too late or too early leaves the reference free', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    for (const expiresAt of [inHours(30 * 24 + 1), inHours(-1)]) {
      const answer = await initiate(server, acme, { receiverTag: market.tag, reference: 'late', expiresAt });
      expect(answer.statusCode).toBe(400);
    }
    expect((await initiate(server, acme, { receiverTag: market.tag, reference: 'late' })).statusCode).toBe(201);
  });
});

describe('409', () => {
  it('a reference with other content, each part of it', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const asked = { receiverTag: market.tag, reference: 'taken', narration: 'first', expiresAt: inHours(5) };
    await initiate(server, acme, asked);
    const another = await newTag(server, market);
    const own = await newTag(server, acme);
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
      const answer = await initiate(server, acme, { ...asked, ...change });
      expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'REFERENCE_REUSED']);
    }
  });
});

describe('422', () => {
  it('more than there is with its fee: nothing is held or published, and the reference stays declined when there is enough later', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const asked = { receiverTag: market.tag, amount: 1_000_000, reference: 'too-much' };
    const answer = await initiate(server, acme, asked);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const funding = { amount: 5_000_000, reference: `more-${acme.applicationId}` };
    await server.operate('POST', `/applications/${acme.applicationId}/fund`, funding);
    expect((await initiate(server, acme, asked)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
    expect((await initiate(server, acme, { ...asked, amount: 1 })).json().errorCode).toBe('REFERENCE_REUSED');
    expect(await walletTotals(server, acme)).toMatchObject({ held: 0 });
    expect(await transactionEvents(server, market)).toEqual([]);
    expect((await initiate(server, acme, { ...asked, reference: 'enough' })).statusCode).toBe(201);
  });

  it('a suspended tag on either side, and its reference stays declined', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    for (const suspended of [acme.tag, market.tag]) {
      await setTagStatus(server, suspended, 'SUSPENDED');
      const asked = { receiverTag: market.tag, reference: `to-${suspended}` };
      const answer = await initiate(server, acme, asked);
      expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'TAG_NOT_PAYABLE']);
      await setTagStatus(server, suspended, 'ACTIVE');
      expect((await initiate(server, acme, asked)).json().errorCode).toBe('TAG_NOT_PAYABLE');
    }
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 0 });
  });

  it.each([
    ['PNC', 'WALLET_PNC'],
    ['Blocked', 'WALLET_BLOCKED'],
  ] as const)('a PayTag whose wallet is %s: nothing is held', async (status, code) => {
    const acme = await newSide(server);
    const ada = await loggedIn(server, await server.newPartner());
    await changeWallet(server, ada.wallet, { status });
    const asked = { receiverTag: ada.paytag, reference: 'refused' };
    const answer = await initiate(server, acme, asked);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([422, code]);
    await changeWallet(server, ada.wallet, { status: 'Enabled' });
    expect((await initiate(server, acme, asked)).json().errorCode).toBe(code);
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 0 });
    expect(await eventsOf(server, ada.wallet)).toEqual([]);
    expect(await transactionEvents(server, acme)).toEqual([]);
  });

  it('points to a PayTag, whose wallet is in naira; a suspended PayTag', async () => {
    const acme = await newSide(server);
    const ada = await loggedIn(server, await server.newPartner());
    const funding = { amount: 500, currency: 'FP', reference: `points-${acme.applicationId}` };
    await server.operate('POST', `/applications/${acme.applicationId}/fund`, funding);
    const points = await initiate(server, acme, { receiverTag: ada.paytag, currency: 'FP' });
    expect([points.statusCode, points.json().errorCode]).toEqual([422, 'CURRENCY_MISMATCH']);
    await setTagStatus(server, ada.paytag, 'SUSPENDED');
    expect((await initiate(server, acme, { receiverTag: ada.paytag })).json().errorCode).toBe('TAG_NOT_PAYABLE');
  });

  it('of 50 concurrent offers that together exceed the wallet, as many as fit', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => initiate(server, acme, { receiverTag: market.tag, amount: 99_000 })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 99_990_000 });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
