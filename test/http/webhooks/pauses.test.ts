import { parse } from 'csv-parse/sync';
import { assert, asyncProperty, constantFrom, array as fcArray, integer, record } from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import { sendPayouts } from '#modules/payouts';
import { autoPause, pauseReceiver, resumeReceiver } from '#modules/webhooks';
import { maintainEachMinute } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { partnerWithDeliveries } from '../../support/deliveries.ts';
import { auditOf } from '../../support/operators.ts';
import { ACCOUNT, scriptedProvider } from '../../support/payouts.ts';
import { scrape } from '../../support/served.ts';
import { initiate, newSide } from '../../support/switch.ts';
import { newTerminal } from '../../support/terminals.ts';
import {
  type LoggedIn,
  loggedIn,
  moveMoney,
  newReference,
  newWallet,
  pay,
  paymentsOf,
  refund,
} from '../../support/wallets.ts';

describe('one rule for every event', () => {
  /** Every charge that there is, no two alike. */
  const server = useApp({
    FEE_PARTNER_WALLET_CREDIT: '0.3%+1.01',
    FEE_PARTNER_WALLET_DEBIT: '0.7%+1.03',
    FEE_PARTNER_GATEWAY: '1.1%+1.07',
    FEE_PARTNER_TERMINAL: '1.3%+1.09',
    FEE_TRANSFER: '1.7%+1.13',
    FEE_PAYOUT: '1.9%+1.27',
    FEE_SWITCH: '2.3%+1.31',
    FEE_COMMISSION: '2.9%+1.37',
    FEE_STAMP_DUTY: '3.1%+1.39',
  });
  const { gateway, atTerminal, inbound } = paymentsOf(server);

  const steps = [
    'CREDIT',
    'DEBIT',
    'REFUND',
    'GATEWAY',
    'TERMINAL',
    'TRANSFER',
    'ABROAD',
    'INBOUND',
    'PAYOUT',
  ] as const;
  const more = [
    'PAYOUT_RETURNED',
    'PARTNER_PAYOUT',
    'SWITCH',
    'REVERSAL',
    'REVERSED_TRANSFER',
    'REVERSED_INBOUND',
  ] as const;
  const all = [...steps, ...more];
  type Step = (typeof all)[number];

  interface Told {
    Type: string;
    Amount: number;
    Fee: number;
    Commission: number;
    Net: number;
    Reference: string;
    Status: string;
    OpeningBalance: number;
    ClosingBalance: number;
  }
  const kobo = (naira: number): number => Math.round(naira * 100);

  async function world() {
    const [here, abroad] = [await server.newPartner({ float: 9_000_000 }), await server.newPartner({ float: 1_000 })];
    const [ada, bola, chi] = [
      await loggedIn(server, here, 150_000),
      await loggedIn(server, here),
      await loggedIn(server, abroad),
    ];
    await server.call('POST', '/v2/sso/wallet/bank-account', { headers: ada.headers, payload: ACCOUNT });
    const shown = await server.call('GET', `/v2/partner/wallet/${ada.wallet}`, { headers: here.headers });
    return {
      here,
      ada,
      bola,
      chi,
      nuban: shown.json().Wallet.Nuban as string,
      fed: (await newWallet(server, here)).reference,
      acme: await newSide(server),
      terminal: await newTerminal(server, here),
    };
  }
  type World = Awaited<ReturnType<typeof world>>;

  const reverse = (of: string, partnerId: string) =>
    server.operate('POST', `/transactions/${of}/reverse`, { partnerId, reference: newReference(), reason: 'a test' });

  const payOut = async ({ here, ada, fed }: World, by: 'CUSTOMER' | 'PARTNER', amount: number, isReturned = false) => {
    const order =
      by === 'CUSTOMER'
        ? { url: '/v2/sso/payout', headers: ada.headers, payload: { amount, reference: newReference() } }
        : {
            url: `/v2/partner/wallet/${fed}/payout`,
            headers: here.headers,
            payload: { amount, reference: newReference(), ...ACCOUNT },
          };
    const { url, ...given } = order;
    const answer = await server.call('POST', url, given);
    const { provider } = scriptedProvider(isReturned ? { verifies: ['REVERSED'], recheckAfterMs: 1 } : {});
    for (const _ of isReturned ? ['paid', 'returned'] : ['paid']) {
      server.clock.advance(60_000);
      await sendPayouts({ ...server.resources, payoutProvider: provider });
    }
    return answer;
  };

  async function take(of: World, step: Step, amount: number): Promise<void> {
    const { here, ada, bola, chi, nuban, fed, acme, terminal } = of;
    const reference = newReference();
    const by = { amount, reference };
    const answers = {
      CREDIT: () => moveMoney(server, here, fed, 'credit', by),
      DEBIT: () => moveMoney(server, here, fed, 'debit', by),
      REFUND: async () => {
        await moveMoney(server, here, fed, 'debit', by);
        return refund(server, here, reference, { reference: newReference(), amount });
      },
      GATEWAY: () => gateway(here, { ...by, walletReference: fed }),
      TERMINAL: () => atTerminal(terminal, by),
      TRANSFER: () => pay(server, ada, { ...by, paytag: bola.paytag }),
      ABROAD: () => pay(server, ada, { ...by, paytag: chi.paytag }),
      INBOUND: () => inbound(nuban, by),
      PAYOUT: () => payOut(of, 'CUSTOMER', amount),
      PAYOUT_RETURNED: () => payOut(of, 'CUSTOMER', amount, true),
      PARTNER_PAYOUT: () => payOut(of, 'PARTNER', amount),
      SWITCH: () => initiate(server, acme, { ...by, receiverTag: bola.paytag }),
      REVERSAL: async () => {
        const answer = await moveMoney(server, here, fed, 'credit', by);
        return answer.statusCode === 200 ? reverse(reference, here.id) : answer;
      },
      REVERSED_TRANSFER: async () => {
        const sent = await pay(server, ada, { ...by, paytag: bola.paytag });
        return sent.statusCode === 200 ? reverse(sent.json().Reference, here.id) : sent;
      },
      REVERSED_INBOUND: async () => reverse((await inbound(nuban, by)).json().Reference, here.id),
    } satisfies Record<Step, () => Promise<{ statusCode: number; body: string }>>;
    const { statusCode, body } = await answers[step]();
    expect([200, 201], `${step}: ${body}`).toContain(statusCode);
  }

  /** What a wallet's history, events, entries and statement say of each of its movements. */
  async function holdsFor(wallet: string, headers: Record<string, string>, customer?: LoggedIn): Promise<void> {
    const list = async (url: string, by: Record<string, string>): Promise<Told[]> =>
      (await server.call('GET', url, { headers: by })).json().items.toReversed();
    const history = await list(`/v2/partner/wallet/${wallet}/history?limit=100`, headers);
    const own = customer && (await list('/v2/sso/transaction?limit=100', customer.headers));
    const events = (await eventsOf(server, wallet)) as { event: string; data: Record<string, unknown> }[];
    const { rows: entries } = await server.owner.query<Record<'amount' | 'arrived', string>>(
      `select e.amount, (select sum(d.amount) from ledger.entry d where d.transaction_id = t.id and d.account_id = t.destination_id) as arrived
       from ledger.entry e join ledger.account a on a.id = e.account_id join ledger.transaction t on t.id = e.transaction_id
       where a.reference = $1 and a.kind = 'WALLET' order by e.version`,
      [wallet],
    );
    expect([events.length, entries.length]).toEqual([history.length, history.length]);
    for (const [place, one] of history.entries()) {
      const effect = kobo(one.ClosingBalance) - kobo(one.OpeningBalance);
      expect(effect).toBe(Number(entries[place]?.amount));
      for (const told of [one, own?.[place] ?? one])
        expect(effect).toBe(effect > 0 ? kobo(told.Net) : -kobo(told.Amount) - kobo(told.Fee));
      const arrived = one.Type === 'REVERSAL' ? kobo(one.Net) : Number(entries[place]?.arrived);
      expect(kobo(one.Net)).toBe(arrived);
      expect(one.Net).toBeLessThanOrEqual(one.Amount);
      expect(events[place]).toMatchObject({
        event: effect > 0 ? 'wallet.credited' : 'wallet.debited',
        data: {
          Amount: effect / 100,
          Transaction: { Amount: one.Amount, Fee: one.Fee, Reference: one.Reference },
          OpeningBalance: one.OpeningBalance,
          ClosingBalance: one.ClosingBalance,
        },
      });
      const read = (await server.call('GET', `/v2/partner/transaction/${one.Reference}`, { headers })).json<Told>();
      const isSameWallet = read.OpeningBalance === one.OpeningBalance && read.ClosingBalance === one.ClosingBalance;
      expect(read).toMatchObject(isSameWallet ? { Amount: one.Amount, Fee: one.Fee, Net: one.Net } : {});
    }
    if (customer !== undefined) await statementSays(customer, history);
  }

  async function statementSays({ headers }: LoggedIn, history: readonly Told[]): Promise<void> {
    const { url } = (await server.call('POST', '/v2/sso/transaction/statement?format=csv', { headers })).json();
    const csv = (await server.call('GET', new URL(url).pathname + new URL(url).search, {})).body;
    const rows = parse<Record<string, string>>(csv, { columns: true, bom: true });
    const lines = rows.filter((line) => line['Reference'] !== '');
    expect(lines).toHaveLength(history.length);
    for (const [place, one] of history.entries()) {
      const line = lines[place] ?? {};
      const effect = kobo(one.ClosingBalance) - kobo(one.OpeningBalance);
      expect(kobo(Number(line['Credit'] || 0)) - kobo(Number(line['Debit'] || 0))).toBe(effect);
      const charged = effect < 0 ? one.Fee : one.Amount - one.Net;
      expect(kobo(Number(line['Fee included']))).toBe(kobo(charged));
    }
  }

  it('REST, events, entries and statements say the same of every type of transaction with every charge: a wallet is moved by +Net or −(Amount + Fee)', async () => {
    const step = record({ step: constantFrom(...all), amount: integer({ min: 700, max: 80_000 }) });
    await assert(
      asyncProperty(fcArray(step, { minLength: 1, maxLength: 12 }), async (taken) => {
        const of = await world();
        await moveMoney(server, of.here, of.fed, 'credit', { amount: 50_000, reference: newReference() });
        for (const { step: what, amount } of taken) await take(of, what, amount / 100);
        for (const one of [of.ada, of.bola, of.chi]) await holdsFor(one.wallet, one.partner.headers, one);
        await holdsFor(of.fed, of.here.headers);
        expect(await brokenInvariants(server)).toEqual([]);
      }),
      { numRuns: 6, examples: [[all.map((each, place) => ({ step: each, amount: 10_000 + 777 * place }))]] },
    );
  });
});

describe('a paused receiver', () => {
  const server = useApp();
  const pause = (ownerId: string) => server.operate('POST', `/receivers/${ownerId}/pause`, { reason: 'broken' });

  describe('an owner', () => {
    const owner = (ownerId: string) => ({ actor: 'partner', by: 'OWNER', ownerId }) as const;

    it('ends its own pause', async () => {
      const { id } = await server.newPartner();
      await pauseReceiver(server.resources, { ...owner(id), reason: 'ours' });
      expect(await resumeReceiver(server.resources, owner(id))).toMatchObject({ status: 'ACTIVE', pausedBy: null });
    });

    it('does not end what an operator began, nor take its place', async () => {
      const { id } = await server.newPartner();
      await pauseReceiver(server.resources, { ...owner(id), reason: 'ours' });
      await pause(id);
      expect(await pauseReceiver(server.resources, { ...owner(id), reason: 'ours again' })).toMatchObject({
        pausedBy: 'OPERATOR',
        pauseReason: 'broken',
      });
      await expect(resumeReceiver(server.resources, owner(id))).rejects.toMatchObject({
        code: 'RECEIVER_PAUSED_BY_OPERATOR',
      });
    });
  });
});

describe('a receiver that is paused by itself', () => {
  const server = useApp({ WEBHOOK_AUTO_PAUSE_AFTER_H: '72' });
  afterEach(() => server.owner.query('truncate webhooks.breaker'));

  /** A partner whose receiver has failed over so many hours, with its breaker open or not. */
  async function failing(hours: number, { opened = true } = {}) {
    const partner = await partnerWithDeliveries(server, 2);
    await server.owner.query(
      `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, open_until)
     select id, 20, now() - $2 * interval '1 hour', now(), case when $3 then now() end
       from outbox.receiver where owner_id = $1`,
      [partner.id, hours, opened],
    );
    return partner;
  }
  const receiverOf = async (ownerId: string) => (await server.operate('GET', `/receivers/${ownerId}`)).json();
  const pausesIn = async () => Number(/^paytag_webhook_auto_pauses_total (\d+)$/m.exec(await scrape(server))?.[1]);

  describe('a receiver that failed for the configured time', () => {
    test('is paused once, with a reason, an audit entry, a warning and a count; its events are kept until it is resumed', async () => {
      const { id } = await failing(72);
      const before = await pausesIn();
      await maintainEachMinute(server.resources);
      await maintainEachMinute(server.resources);
      expect(await receiverOf(id)).toMatchObject({
        status: 'PAUSED',
        pausedBy: 'SYSTEM',
        pauseReason: expect.stringMatching(/^no delivery has succeeded since \d{4}-/),
        pending: 2,
      });
      expect((await auditOf(server, id)).filter(({ action }) => action === 'receiver.pause')).toMatchObject([
        { actor: 'system', after: { status: 'PAUSED' }, reason: expect.stringContaining('no delivery has succeeded') },
      ]);
      const lines = server.logged.split('\n').filter((line) => line.includes(id) && line.includes('paused'));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('"level":40');
      expect(await pausesIn()).toBe(before + 1);
      const resumed = await server.operate('POST', `/receivers/${id}/resume`);
      expect(resumed.json()).toMatchObject({ status: 'ACTIVE', pending: 2, breaker: { state: 'CLOSED' } });
      await autoPause(server.resources);
      expect(await receiverOf(id)).toMatchObject({ status: 'ACTIVE' });
    });
  });

  test.each([
    ['failed for an hour less', () => failing(71)],
    ['failed too seldom to open its breaker', () => failing(100, { opened: false })],
  ])('one that %s goes on', async (_, given) => {
    const { id } = await given();
    await autoPause(server.resources);
    expect(await receiverOf(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('0 hours: no receiver is paused', async () => {
    const { id } = await failing(1_000);
    await autoPause({ ...server.resources, webhooks: { autoPauseAfterH: 0 } });
    expect(await receiverOf(id)).toMatchObject({ status: 'ACTIVE' });
  });
});
