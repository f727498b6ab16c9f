import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';
import {
  bookOf,
  changeWallet,
  fundedWallet,
  moveMoney,
  newWallet,
  paymentsOf,
  refund,
  resolve,
  statusEvents,
  waitingPayment,
} from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_TERMINAL: '1%', FEE_STAMP_DUTY: '50>=10000' });

describe('GET /suspense', () => {
  const list = async (query: string) => (await server.operate('GET', `/suspense?${query}`)).json();

  it('says what waits, why, since when, and what was reported of it; the oldest first', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'order' });
    await changeWallet(server, wallet, { status: 'Blocked' });
    await refund(server, partner, 'order', { reference: 'order-back', comment: 'sorry' });
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 10);
    const sender = { name: 'Bola Ade', type: 'CARD' };
    const over = await paymentsOf(server).atTerminal(terminal, { split, amount: 20, reference: 'over', sender });
    const page = await list(`partnerId=${partner.id}`);
    expect(page).toMatchObject({ count: 2, limit: 20, offset: 0 });
    const moment = expect.any(String);
    expect(page.items).toEqual([
      {
        id: expect.any(Number),
        type: 'PARTNER_REFUND',
        reference: 'order-back',
        externalReference: 'order',
        partnerId: partner.id,
        amount: 40,
        currency: 'NGN',
        reason: 'WALLET_BLOCKED',
        since: moment,
        walletReference: wallet,
        comment: 'sorry',
      },
      {
        id: over.json().ID,
        type: 'PARTNER_TERMINAL',
        reference: 'over',
        externalReference: split,
        partnerId: partner.id,
        amount: 19.8,
        currency: 'NGN',
        reason: 'SPLIT_OVERPAYMENT',
        since: over.json().CreatedAt,
        sender,
        terminal,
        split,
      },
    ]);
  });

  it('filters by partner and reason, pages, and leaves out what has been resolved', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    const first = await waitingPayment(server, one);
    const [second, third] = [await waitingPayment(server, one), await waitingPayment(server, one)];
    await waitingPayment(server, two);
    await resolve(server, first.id, { to: 'float' });
    const ids = async (query: string) =>
      (await list(`partnerId=${one.id}&${query}`)).items.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([second.id, third.id]);
    expect(await ids('limit=1&offset=1')).toEqual([third.id]);
    expect(await ids('reason=WALLET_PNC')).toEqual([second.id, third.id]);
    expect(await ids('reason=WALLET_REVOKED')).toEqual([]);
    expect((await list('reason=WALLET_PNC')).count).toBeGreaterThanOrEqual(3);
  });
});

describe('POST /suspense/{id}/resolve', () => {
  const { atTerminal, gateway } = paymentsOf(server);
  const clearing = async (rail: string) => {
    const { rows } = await server.owner.query<{ kobo: string }>(
      `select coalesce(sum(e.amount), 0) as kobo from ledger.account a join ledger.entry e on e.account_id = a.id
       where a.kind = $1`,
      [`CLEARING_${rail}`],
    );
    return Number(rows[0]?.kobo);
  };

  it('to another wallet of its partner: it is credited there and published, once, and audited', async () => {
    const partner = await server.newPartner();
    const waiting = await waitingPayment(server, partner);
    const { reference: walletReference } = await newWallet(server, partner);
    const body = { to: 'wallet', walletReference };
    const answer = await resolve(server, waiting.id, body);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ ID: waiting.id, Status: 'Successful', CompletedAt: expect.any(String) }),
    ]);
    expect(answer.json()).not.toHaveProperty('PendingReason');
    const told = { event: 'wallet.credited', data: { Amount: 100, Transaction: { Reference: waiting.reference } } };
    expect(await eventsOf(server, walletReference)).toMatchObject([told]);
    expect((await resolve(server, waiting.id, body)).json()).toEqual(answer.json());
    expect(await bookOf(server, 'WALLET', walletReference)).toEqual({ kobo: 10_000, entries: 1 });
    expect((await auditOf(server, waiting.reference)).at(-1)).toEqual(
      byRoot('suspense.resolve', {
        before: { status: 'Pending', pendingReason: 'WALLET_PNC' },
        after: { to: 'wallet', wallet: walletReference, partnerId: partner.id, amount: '10000', currency: 'NGN' },
        reason: 'they called',
      }),
    );
    await changeWallet(server, waiting.wallet.reference, { status: 'Enabled' });
    expect(await bookOf(server, 'WALLET', waiting.wallet.reference)).toEqual({ kobo: 0, entries: 0 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('to the float: an instalment that was too much is then the partner’s, and its split stays as it is', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 10);
    const over = (await atTerminal(terminal, { split, amount: 15, reference: 'over' })).json();
    const answer = await resolve(server, over.ID, { to: 'float' });
    expect(answer.json()).toMatchObject({ Status: 'Successful', Net: 14.85, Reference: 'over' });
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 1_485, entries: 1 });
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 0, Status: 'Pending' });
    const [event] = (await statusEvents(server, partner)).map((body) => JSON.parse(body));
    expect(event).toMatchObject({ reference: 'over', data: { Status: 'Successful', Terminal: { Balance: 14.85 } } });
    expect((await resolve(server, over.ID, { to: 'float' })).json()).toEqual(answer.json());
    expect(await statusEvents(server, partner)).toHaveLength(1);
  });

  it('a refund of what was resolved takes it from where it went', async () => {
    const partner = await server.newPartner();
    const [blocked, other] = [await newWallet(server, partner), await newWallet(server, partner)];
    await changeWallet(server, blocked.reference, { status: 'Blocked' });
    const paid = await gateway(partner, { walletReference: blocked.reference, reference: 'order', amount: 50 });
    await resolve(server, paid.json().ID, { to: 'wallet', walletReference: other.reference });
    expect((await refund(server, partner, 'order', { reference: 'order-back' })).statusCode).toBe(200);
    expect(await bookOf(server, 'WALLET', other.reference)).toEqual({ kobo: 0, entries: 2 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('to the float that a waiting refund came from: it is where it was', async () => {
    const partner = await server.newPartner({ float: 100 });
    const { reference } = await newWallet(server, partner);
    await moveMoney(server, partner, reference, 'credit', { amount: 80, reference: 'in' });
    await moveMoney(server, partner, reference, 'debit', { amount: 30, reference: 'out' });
    await changeWallet(server, reference, { status: 'PNC' });
    const waiting = (await refund(server, partner, 'out', { reference: 'back' })).json();
    expect(waiting).toMatchObject({ Status: 'Pending', PendingReason: 'WALLET_PNC' });
    expect((await resolve(server, waiting.ID, { to: 'float' })).json()).toMatchObject({ Status: 'Successful' });
    expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 5_000 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('returned: all of it goes back to the rail, the charges too, and nothing is published', async () => {
    const partner = await server.newPartner();
    const before = await clearing('INBOUND');
    const waiting = await waitingPayment(server, partner, 20_000);
    expect(await clearing('INBOUND')).toBe(before - 2_000_000);
    const body = { to: 'return', reference: `back-${partner.id}` };
    const answer = await resolve(server, waiting.id, body);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ Status: 'Reversed', Reference: waiting.reference }),
    ]);
    expect(await clearing('INBOUND')).toBe(before);
    expect((await resolve(server, waiting.id, body)).json()).toEqual(answer.json());
    const seen = await server.call('GET', `/v2/partner/transaction/${body.reference}`, { headers: partner.headers });
    expect(seen.json()).toMatchObject({ Type: 'REVERSAL', Amount: 20_000, ExternalReference: waiting.reference });
    expect(await eventsOf(server, waiting.wallet.reference)).toEqual([]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('404: a wallet of another partner, before and after it is resolved: nothing of either is shown to the other', async () => {
    const partner = await server.newPartner();
    const { id, reference } = await waitingPayment(server, partner);
    const { reference: theirs } = await newWallet(server, await server.newPartner());
    const body = { to: 'wallet', walletReference: theirs };
    expect(refusalOf(await resolve(server, id, body))).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(await auditOf(server, reference)).toHaveLength(1);
    const { reference: ours } = await newWallet(server, partner);
    expect((await resolve(server, id, { to: 'wallet', walletReference: ours })).statusCode).toBe(200);
    expect(refusalOf(await resolve(server, id, body))).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(await bookOf(server, 'WALLET', theirs)).toEqual({ kobo: 0, entries: 0 });
    expect(await eventsOf(server, theirs)).toEqual([]);
  });

  it('409: what never waited, and what has been resolved otherwise', async () => {
    const partner = await server.newPartner();
    const ordinary = (await gateway(partner, { reference: 'ordinary' })).json();
    expect(refusalOf(await resolve(server, ordinary.ID, { to: 'float' }))).toEqual([409, 'TRANSACTION_NOT_PENDING']);
    const [credited, returned] = [await waitingPayment(server, partner), await waitingPayment(server, partner)];
    const back = { to: 'return', reference: 'back-1' };
    await resolve(server, credited.id, { to: 'float' });
    await resolve(server, returned.id, back);
    for (const [id, body] of [
      [credited.id, { to: 'return', reference: 'back-2' }],
      [credited.id, { to: 'wallet', walletReference: credited.wallet.reference }],
      [returned.id, { to: 'float' }],
      [returned.id, { ...back, reference: 'back-3' }],
    ] as const) {
      expect(refusalOf(await resolve(server, id, body))).toEqual([409, 'TRANSACTION_NOT_PENDING']);
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('422: a wallet that does not take it either, and it waits on', async () => {
    const partner = await server.newPartner();
    const { id, wallet } = await waitingPayment(server, partner);
    const points = await newWallet(server, partner, 'FP');
    const into = (walletReference: string) => resolve(server, id, { to: 'wallet', walletReference });
    expect(refusalOf(await into(wallet.reference))).toEqual([422, 'WALLET_PNC']);
    expect(refusalOf(await into(points.reference))).toEqual([422, 'CURRENCY_MISMATCH']);
    expect((await into((await newWallet(server, partner)).reference)).statusCode).toBe(200);
  });
});
