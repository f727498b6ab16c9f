import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { endAll } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { initiate, newSide } from '../../support/switch.ts';
import { newSplit, newTerminal, payAt, seeSplit } from '../../support/terminals.ts';
import {
  bookOf,
  changeWallet,
  fundedWallet,
  loggedIn,
  moveMoney,
  newReference,
  newWallet,
  pay,
  paymentsOf,
  refund,
  statusEvents,
  waitingPayment,
} from '../../support/wallets.ts';

const server = useApp({
  FEE_PARTNER_GATEWAY: '1%<=2000',
  FEE_PARTNER_TERMINAL: '1.5%',
  FEE_COMMISSION: '0.5%',
  FEE_STAMP_DUTY: '50>=10000',
});

describe('GET /transactions', () => {
  const alone = useApp({ FEE_PARTNER_GATEWAY: '1%' });
  const find = (query: Record<string, string>) =>
    alone.operate('GET', `/transactions?${new URLSearchParams(query).toString()}`);
  const found = async (query: Record<string, string>) => {
    const answer = await find(query);
    expect(answer.statusCode).toBe(200);
    return answer.json<{ items: Record<string, unknown>[] }>().items;
  };

  it('what the operator moved to and from a float, with the balance that was answered', async () => {
    const { id: partnerId } = await alone.newPartner({ float: 100 });
    const settled = await alone.operate('POST', `/partners/${partnerId}/settlement`, { amount: 30, reference: 'out' });
    expect(await found({ partnerId, reference: 'out' })).toEqual([
      expect.objectContaining({
        Type: 'FLOAT_SETTLEMENT',
        Namer: 'OPERATOR',
        Status: 'Successful',
        Amount: 30,
        OpeningBalance: 100,
        ClosingBalance: settled.json<{ balance: number }>().balance,
      }),
    ]);
  });

  it('a declined one, with the reason', async () => {
    const { id: partnerId } = await alone.newPartner();
    await alone.operate('POST', `/partners/${partnerId}/settlement`, { amount: 1, reference: 'over' });
    expect(await found({ partnerId, reference: 'over' })).toMatchObject([
      { Status: 'Failed', FailureReason: 'INSUFFICIENT_FUNDS', Amount: 1 },
    ]);
  });

  it('what an application’s wallet was funded with, and how an offer of it was settled', async () => {
    const { applicationId } = await newApplication(alone);
    await alone.operate('POST', `/applications/${applicationId}/fund`, { amount: 5, reference: 'fund-1' });
    expect(await found({ applicationId, reference: 'fund-1' })).toMatchObject([
      { Type: 'APPLICATION_FUNDING', Amount: 5, ClosingBalance: 1_000_005 },
    ]);
    const acme = await newSide(alone);
    const paid = await initiate(alone, acme, { receiverTag: (await newSide(alone)).tag, reference: 'o' });
    const { id } = paid.json<{ data: { id: string } }>().data;
    expect(await found({ applicationId: acme.applicationId, reference: `SWT-${id}` })).toEqual([]);
  });

  it('what rails reported, with all its charges: at a gateway for its partner, INBOUND for any', async () => {
    const partner = await alone.newPartner();
    const payments = paymentsOf(alone);
    const { nuban } = await newWallet(alone, partner);
    const [gateway, inbound] = [
      await payments.gateway(partner, { reference: 'g-1', amount: 100 }),
      await payments.inbound(nuban, { reference: 'bank-77', amount: 900 }),
    ];
    expect(await found({ partnerId: partner.id, reference: 'g-1' })).toEqual([
      { ...gateway.json(), Namer: 'RAIL', PartnerID: partner.id },
    ]);
    expect(gateway.json()).toMatchObject({ Fee: 1, Net: 99 });
    const shown = [{ ...inbound.json(), Namer: 'RAIL', PartnerID: partner.id }];
    expect(await found({ reference: 'bank-77' })).toEqual(shown);
    expect(await found({ reference: 'bank-77', partnerId: partner.id })).toEqual(shown);
    expect(await found({ reference: inbound.json<{ Reference: string }>().Reference })).toEqual(shown);
    expect(await found({ reference: 'bank-77', partnerId: (await alone.newPartner()).id })).toEqual([]);
  });

  it('all who used a reference, newest first and in pages, or those of one namer', async () => {
    const { partner, wallet } = await fundedWallet(alone, 100);
    const { id: partnerId } = partner;
    await moveMoney(alone, partner, wallet, 'debit', { amount: 7, reference: 'same' });
    await alone.operate('POST', `/partners/${partnerId}/float`, { amount: 8, reference: 'same' });
    await paymentsOf(alone).gateway(partner, { amount: 9, reference: 'same' });
    const of = async (query: Record<string, string>) => (await find({ partnerId, reference: 'same', ...query })).json();
    expect(await of({})).toMatchObject({ items: [{ Amount: 9 }, { Amount: 8 }, { Amount: 7 }], count: 3 });
    expect(await of({ limit: '1', offset: '1' })).toMatchObject({ items: [{ Amount: 8 }], count: 3, limit: 1 });
    expect(await of({ namer: 'PARTNER' })).toMatchObject({ items: [{ Amount: 7, Namer: 'PARTNER' }], count: 1 });
  });
});

describe('the lists of money', () => {
  let made: { partner: TestPartner; wallet: string };
  let first: Date;
  const references = async (query: Record<string, string>) => {
    const answer = await server.operate('GET', `/transactions?${new URLSearchParams(query).toString()}`);
    expect(answer.statusCode).toBe(200);
    const { items, count } = answer.json<{ items: { Reference: string; CreatedAt: string }[]; count: number }>();
    expect(count).toBe(items.length);
    return items.map(({ Reference }) => Reference);
  };
  const file = async (path: string, token = server.resources.operatorToken) => {
    const answer = await server.call('GET', `/operator/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.body.startsWith('\ufeff')).toBe(true);
    return { lines: answer.body.slice(1).trimEnd().split('\r\n'), headers: answer.headers };
  };

  beforeAll(async () => {
    made = await fundedWallet(server, 100);
    const { partner, wallet } = made;
    const move = async (type: 'credit' | 'debit', body: object) => moveMoney(server, partner, wallet, type, body);
    first = new Date();
    await move('debit', { amount: 10, reference: 'ten', externalReference: 'order-9', comment: '=cmd' });
    await move('debit', { amount: 20.5, reference: 'twenty' });
    await move('debit', { amount: 5000, reference: 'refused' });
    await move('credit', { amount: 30, reference: 'back', metadata: { phone: '08031234567' } });
  });

  describe('transactions of all partners', () => {
    it('are listed newest first, the refused ones too', async () => {
      const { id: partnerId } = made.partner;
      const all = await references({ partnerId });
      expect(all.slice(0, 4)).toEqual(['back', 'refused', 'twenty', 'ten']);
      const whole = (await server.operate('GET', '/transactions?limit=2')).json();
      expect(whole).toMatchObject({ items: [{ Reference: 'back', PartnerID: partnerId }, { Reference: 'refused' }] });
      const next = (await server.operate('GET', `/transactions?limit=2&cursor=${whole.nextCursor}`)).json();
      expect(next.items).toMatchObject([{ Reference: 'twenty' }, { Reference: 'ten', ExternalReference: 'order-9' }]);
    });

    it.each([
      [{ type: 'PARTNER_WALLET_DEBIT' }, ['refused', 'twenty', 'ten']],
      [{ status: 'Failed' }, ['refused']],
      [{ status: 'Failed', type: 'PARTNER_WALLET_CREDIT' }, []],
      [{ status: 'Pending' }, []],
      [{ amountFrom: '20.50', amountTo: '30' }, ['back', 'twenty']],
      [{ externalReference: 'order-9' }, ['ten']],
      [{ currency: 'FP' }, []],
      [{ namer: 'RAIL' }, []],
      [{ reference: 'ten', amountTo: '9.99' }, []],
      [{ reference: 'ten', status: 'Successful' }, ['ten']],
    ])('that are %j', async (query: Record<string, string>, expected) => {
      const partnerId = made.partner.id;
      expect(await references({ partnerId, from: first.toISOString(), ...query })).toEqual(expected);
      const other = await server.newPartner();
      expect(await references({ partnerId: other.id, ...query })).toEqual([]);
    });

    it('of a time are all that were made in it, and no others', async () => {
      const { rows } = await server.owner.query<{ reference: string; created_at: Date }>(
        'select reference, created_at from ledger.transaction where partner_id = $1 order by id desc',
        [made.partner.id],
      );
      for (const { created_at: at } of rows) {
        const named = (those: typeof rows) => those.map(({ reference }) => reference);
        const partnerId = made.partner.id;
        expect(await references({ partnerId, from: at.toISOString() })).toEqual(
          named(rows.filter((one) => one.created_at >= at)),
        );
        expect(await references({ partnerId, to: at.toISOString() })).toEqual(
          named(rows.filter((one) => one.created_at < at)),
        );
      }
      expect(await references({ from: '2099-01-01T00:00:00Z' })).toEqual([]);
      expect(await references({ to: '1999-01-01T00:00:00Z' })).toEqual([]);
    });
  });

  describe('a file', () => {
    it('has all that a filter asks for, a page at a time, with nothing in it that a spreadsheet runs', async () => {
      const { lines, headers } = await file(
        `/transactions?format=csv&partnerId=${made.partner.id}&from=${first.toISOString()}`,
      );
      const [header = '', ...rows] = lines;
      expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"');
      expect(headers).not.toHaveProperty('link');
      expect(header).toMatch(/^Type,ID,Amount,.*,Reference,.*,Namer,PartnerID$/);
      expect(rows).toHaveLength(4);
      const ten = rows.at(-1)?.split(',') ?? [];
      expect(ten[header.split(',').indexOf('Comment')]).toBe(`'=cmd`);
      expect(ten[header.split(',').indexOf('Amount')]).toBe('10');
    });

    it('that ends before the list does says where it goes on', async () => {
      const path = `/transactions?format=csv&partnerId=${made.partner.id}&from=${first.toISOString()}&limit=3`;
      const begun = await file(path);
      expect(begun.lines).toHaveLength(4);
      const [, next = ''] = /^<(\?[^>]+)>; rel="next"$/.exec(String(begun.headers['link'])) ?? [];
      const rest = await file(`/transactions${next}`);
      expect(rest.lines).toHaveLength(2);
      expect(rest.lines[1]).toContain(',ten,');
      expect(rest.headers).not.toHaveProperty('link');
    });

    it('of more rows than a page has holds them all once', async () => {
      const partner = await server.newPartner();
      await server.owner.query(
        `insert into ledger.transaction (owner_id, namer, reference, partner_id, type, status, code, request_hash, amount, currency, created_at, mac)
        select $1, 'PARTNER', n::text, $1, 'PARTNER_WALLET_DEBIT', 'Failed', 'WALLET_PND', '', 100, 'NGN', now(), '' from generate_series(1, 250) n`,
        [partner.id],
      );
      const { lines } = await file(`/transactions?format=csv&partnerId=${partner.id}`);
      const column = (lines[0] ?? '').split(',').indexOf('Reference');
      const found = lines.slice(1).map((line) => Number(line.split(',')[column]));
      expect(found).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
    });

    it('is masked for a viewer as a page is', async () => {
      const { token } = await newOperator(server, 'viewer');
      const path = `/transactions?format=csv&partnerId=${made.partner.id}&from=${first.toISOString()}`;
      const seen = (await file(path, token)).lines.join('\n');
      expect(seen).not.toContain('08031234567');
      expect(seen).not.toContain('cmd');
      expect((await file(path)).lines.join('\n')).toContain('08031234567');
    });

    it('of wallets, of what waits and of our own accounts is one too', async () => {
      const { partner, wallet } = made;
      const waits = await waitingPayment(server, partner);
      await changeWallet(server, wallet, { status: 'PND' });
      const wallets = async (query: string) =>
        (await file(`/wallets?format=csv&partnerId=${partner.id}${query}`)).lines;
      expect((await wallets('&status=PND&amountFrom=1&amountTo=1000&currency=NGN'))[1]).toContain(wallet);
      expect(await wallets('&status=PND&amountFrom=1001')).toHaveLength(1);
      expect(await wallets('&to=2000-01-01T00:00:00Z')).toHaveLength(1);
      const suspense = async (query: string) =>
        (await file(`/suspense?format=csv&partnerId=${partner.id}${query}`)).lines;
      expect((await suspense(`&from=${first.toISOString()}&amountFrom=0.01`))[1]).toMatch(new RegExp(`^${waits.id},`));
      expect(await suspense('&amountFrom=9000000')).toHaveLength(1);
      expect(await suspense('&type=TRANSFER')).toHaveLength(1);
      expect(await suspense('&to=2000-01-01T00:00:00Z')).toHaveLength(1);
      const accounts = (await file('/accounts?format=csv')).lines;
      expect(accounts[0]).toBe('account,currency,balance');
      expect(accounts).toHaveLength(23);
    });
  });
});

describe('GET /transactions/{reference}', () => {
  const ask = (reference: string, query: Record<string, string | number> = {}) =>
    server.operate(
      'GET',
      `/transactions/${reference}?${new URLSearchParams(query as Record<string, string>).toString()}`,
    );
  const read = async (reference: string, query: Record<string, string | number> = {}) => {
    const answer = await ask(reference, query);
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };

  it('the entries with whose accounts they moved, what was refunded of it, and to what it was refused', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const reference = newReference();
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference });
    await refund(server, partner, reference, { reference: 'back', amount: 15 });
    await refund(server, partner, reference, { reference: 'too-much', amount: 26 });
    const full = await read(reference, { partnerId: partner.id });
    expect(full).toMatchObject({
      transaction: { Reference: reference, Type: 'PARTNER_WALLET_DEBIT', Namer: 'PARTNER', PartnerID: partner.id },
      following: [
        { Reference: 'too-much', Status: 'Failed', FailureReason: 'REFUND_EXCEEDS' },
        { Reference: 'back', Status: 'Successful', Amount: 15 },
      ],
      events: [{ event: 'wallet.debited', reference: wallet, ownerId: partner.id }],
    });
    const [left, reached] = full.entries.toSorted(
      (a: { amount: number }, b: { amount: number }) => a.amount - b.amount,
    );
    expect(left).toMatchObject({
      account: 'WALLET',
      reference: wallet,
      amount: -40,
      openingBalance: 100,
      closingBalance: 60,
    });
    expect(reached).toMatchObject({ account: 'FLOAT', reference: partner.id, amount: 40 });
    expect(full).not.toHaveProperty('refusal');
    expect(full.disputes).toEqual([]);
    expect(await read('back', { partnerId: partner.id })).toMatchObject({ original: { Reference: reference } });
  });

  it('the event of a movement that was booked in the millisecond in which its transaction began', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const references = Array.from({ length: 30 }, () => newReference());
    for (const reference of references) await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference });
    const all = await Promise.all(references.map((reference) => read(reference, { partnerId: partner.id })));
    expect(all.map(({ events }) => events.length)).toEqual(references.map(() => 1));
  });

  it('what is disputed of it', async () => {
    const { id, partner } = await newDispute(server);
    expect(await read('opening', { partnerId: partner.id })).toMatchObject({
      disputes: [{ id, state: 'OPEN', amount: 300 }],
    });
  });

  it('why one was declined, in words, found by its reference alone', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    const reference = `declined-${partner.id}`;
    await moveMoney(server, partner, wallet, 'debit', { amount: 11, reference });
    expect(await read(reference)).toMatchObject({
      transaction: { Status: 'Failed' },
      refusal: { code: 'INSUFFICIENT_FUNDS', happened: expect.stringContaining('not enough'), whatToDo: 'Fund it.' },
      entries: [],
    });
  });

  it('what a rail reported of a payment, the split it paid, and how its partner was told', async () => {
    const partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 50);
    const reference = newReference();
    await payAt(server, terminal, { amount: 20, split, reference, sender: { name: 'Bola Ade' } });
    await endAll(server.resources.pool, 'status 503');
    expect(await read(reference, { partnerId: partner.id })).toMatchObject({
      payment: { senderName: 'Bola Ade', terminal, split },
      events: [
        {
          event: 'transaction.status',
          ownerId: partner.id,
          deliveries: [{ status: 'FAILED', attempts: 1, lastError: 'status 503' }],
        },
      ],
    });
  });

  it('both sides of a transfer, and the event of each', async () => {
    const [one, other] = [
      await server.newPartner({ float: 100, webhookUrl: 'http://127.0.0.1:9/hooks' }),
      await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' }),
    ];
    const [ada, bola] = [await loggedIn(server, one, 50), await loggedIn(server, other)];
    const paid = await pay(server, ada, { paytag: bola.paytag, amount: 5, reference: newReference() });
    const { events, entries } = await read(paid.json<{ Reference: string }>().Reference);
    expect(entries).toHaveLength(2);
    const told = events.map(({ event, reference, ownerId }: Record<string, string>) => [event, reference, ownerId]);
    expect(told.toSorted()).toEqual([
      ['wallet.credited', bola.wallet, other.id],
      ['wallet.debited', ada.wallet, one.id],
    ]);
  });

  it('a payout of unknown end, with the money that is held for it', async () => {
    const { id, partner } = await unknownPayout(server);
    expect(await read('payout', { partnerId: partner.id })).toMatchObject({
      transaction: { Status: 'Pending' },
      payout: { id, state: 'UNKNOWN' },
      hold: { state: 'OPEN', amount: 300.03 },
      entries: [],
    });
  });

  it('the offer between tags that it settled, and what its applications were told', async () => {
    const acme = await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/hooks' });
    const bola = await loggedIn(server, await server.newPartner());
    const { id } = (await initiate(server, acme, { receiverTag: bola.paytag, reference: 'o' })).json().data;
    expect(await read(`SWT-${id}`)).toMatchObject({
      offer: { id, reference: 'o', status: 'ACCEPTED', senderTag: acme.tag, receiverTag: bola.paytag },
      events: [
        { event: 'wallet.credited', reference: bola.wallet },
        {
          event: 'TRANSACTION_ACCEPTED',
          ownerId: acme.applicationId,
          deliveries: [{ status: 'PENDING', attempts: 0 }],
        },
      ],
    });
  });

  it('400: several with one reference are told apart by their ids', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference: 'same' });
    await paymentsOf(server).gateway(partner, { reference: 'same' });
    const refused = await ask('same', { partnerId: partner.id });
    expect(refused.statusCode).toBe(400);
    const ids = /name one of (\d+), (\d+)/.exec(refused.json<{ message: string }>().message)?.slice(1) ?? [];
    const types = await Promise.all(
      ids.map(async (id) => (await read('same', { partnerId: partner.id, id })).transaction.Type),
    );
    expect(new Set(types)).toEqual(new Set(['PARTNER_GATEWAY', 'PARTNER_WALLET_DEBIT']));
  });
});

describe('POST /transactions', () => {
  const { gateway, atTerminal, inbound } = paymentsOf(server);
  const moments = { CreatedAt: expect.any(String), CompletedAt: expect.any(String), ID: expect.any(Number) };

  describe('200, PARTNER_GATEWAY', () => {
    it('brings what is left after fee and commission into the float', async () => {
      const partner = await server.newPartner();
      const answer = await gateway(partner, {
        amount: 1500.55,
        reference: 'g1',
        comment: 'Order 7',
        metadata: { till: 3 },
      });
      expect(answer.json()).toEqual({
        ...moments,
        Type: 'PARTNER_GATEWAY',
        Amount: 1500.55,
        Fee: 15.01,
        Commission: 7.5,
        Net: 1478.04,
        Currency: 'NGN',
        Status: 'Successful',
        Reference: 'g1',
        Comment: 'Order 7',
        Metadata: { till: 3 },
      });
      expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 147_804, entries: 1 });
    });

    it('goes to a wallet of the partner when it names one, and says its balances', async () => {
      const partner = await server.newPartner();
      const { reference } = await newWallet(server, partner);
      await gateway(partner, { walletReference: reference, amount: 100 });
      const answer = await gateway(partner, { walletReference: reference });
      expect(answer.json()).toMatchObject({ Net: 985, OpeningBalance: 98.5, ClosingBalance: 1083.5 });
      expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 0, entries: 0 });
      expect(await statusEvents(server, partner)).toHaveLength(2);
    });
  });

  describe('200, PARTNER_TERMINAL', () => {
    it('brings what is left into the float, and names the split it paid', async () => {
      const partner = await server.newPartner();
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 2500);
      const answer = await atTerminal(terminal, { split, reference: 't1' });
      expect(answer.json()).toEqual({
        ...moments,
        Type: 'PARTNER_TERMINAL',
        Amount: 1000,
        Fee: 15,
        Commission: 5,
        Net: 980,
        Currency: 'NGN',
        Status: 'Successful',
        Reference: 't1',
        ExternalReference: split,
      });
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 1000, Remaining: 1500 });
      expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 98_000, entries: 1 });
    });

    it('needs neither a split nor a sender: a card may not name its holder', async () => {
      const terminal = await newTerminal(server, await server.newPartner());
      expect((await atTerminal(terminal, { sender: undefined })).json()).toMatchObject({ Status: 'Successful' });
    });
  });

  describe('200, INBOUND', () => {
    it('credits the wallet of an account number, less stamp duty, under a reference of ours', async () => {
      const partner = await server.newPartner();
      const wallet = await newWallet(server, partner);
      const answer = await inbound(wallet.nuban, { amount: 10_000, reference: 'NIP/1', comment: 'Rent' });
      expect(answer.json()).toEqual({
        ...moments,
        Type: 'INBOUND',
        Amount: 10_000,
        Fee: 0,
        Commission: 0,
        Net: 9950,
        Currency: 'NGN',
        Status: 'Successful',
        Reference: expect.stringMatching(/^INB-[0-9a-f]{32}$/),
        ExternalReference: 'NIP/1',
        Comment: 'Rent',
        OpeningBalance: 0,
        ClosingBalance: 9950,
      });
      expect(await statusEvents(server, partner)).toEqual([]);
    });
  });

  describe('200, again', () => {
    it('a repeated reference of any kind answers as it did and moves nothing', async () => {
      const partner = await server.newPartner();
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 1000);
      const wallet = await newWallet(server, partner);
      const reports = [
        () => gateway(partner, { reference: 'again-1', walletReference: wallet.reference }),
        () => atTerminal(terminal, { reference: 'again-2', split }),
        () => inbound(wallet.nuban, { reference: 'again-3' }),
      ];
      const firsts = [];
      for (const one of reports) firsts.push((await one()).json());
      for (const [index, one] of reports.entries()) expect((await one()).json()).toEqual(firsts[index]);
      expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ entries: 2 });
      expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ entries: 1 });
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 1000, Status: 'Paid' });
      expect(await statusEvents(server, partner)).toHaveLength(2);
      const audited = await server.owner.query(
        `select count(*)::int as n from audit.entry where action = 'payment.report' and after ->> 'partnerId' = $1`,
        [partner.id],
      );
      expect(audited.rows[0].n).toBe(3);
    });

    it('a reference sent twenty times at once is one payment and one event', async () => {
      const partner = await server.newPartner();
      const all = await Promise.all(Array.from({ length: 20 }, () => gateway(partner, { reference: 'twins' })));
      expect(new Set(all.map(({ body }) => body)).size).toBe(1);
      expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 98_500, entries: 1 });
      expect(await statusEvents(server, partner)).toHaveLength(1);
    });
  });
});
