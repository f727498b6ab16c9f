import { expect } from 'vitest';
import { businessDay } from '#modules/ledger';
import { sendPayouts } from '#modules/payouts';
import type { Answer, TestApp, TestPartner } from '../../../support/app.ts';
import { importOf } from '../../../support/bank-files.ts';
import { actOn, customerIdOf, handedBack } from '../../../support/customers.ts';
import { answerDispute, decideDispute, inDays, openDispute } from '../../../support/disputes.ts';
import { unknownPayment } from '../../../support/inbound.ts';
import { approve, newOperator } from '../../../support/operators.ts';
import { ACCOUNT, scriptedProvider } from '../../../support/payouts.ts';
import { newSplit, newTerminal, payAt } from '../../../support/terminals.ts';
import {
  changeWallet,
  kycWallet,
  loggedIn,
  logInAt,
  moveMoney,
  newReference,
  newWallet,
  pay,
  paymentsOf,
  refund,
  resolve,
  reverse,
  waitingPayment,
} from '../../../support/wallets.ts';
import type { Step, Story } from './story.ts';

const HOUR_MS = 3_600_000;
const HOOKS = { webhookUrl: 'http://127.0.0.1:9/hooks' };

const newPartner = (server: TestApp): Promise<TestPartner> => server.newPartner({ ...HOOKS, float: 200_000 });

/** A wallet with money in it, which one credit brought. */
async function funded(server: TestApp, partner: TestPartner, amount = 20_000) {
  const { reference: wallet, nuban } = await newWallet(server, partner);
  const credit = newReference();
  await moveMoney(server, partner, wallet, 'credit', { amount, reference: credit });
  return { wallet, nuban, credit };
}

/** What happens to a payout, by its kobo, and what it ends as. */
const OUTCOMES = { '.00': 'Successful', '.01': 'Failed', '.02': 'Successful', '.03': 'Successful', '.04': 'Reversed' };

/** Orders one payout of each outcome, and lets each come to its end. */
async function everyOutcome(
  step: Step,
  server: TestApp,
  given: {
    partner: TestPartner;
    order: (payload: object) => Promise<Answer>;
    read: (reference: string) => Promise<{ Status: string }>;
  },
): Promise<void> {
  const { partner, order, read } = given;
  const hourLater = () =>
    server.call('POST', '/v2/sandbox/time', { headers: partner.headers, payload: { seconds: 8 * 3_600 } });
  for (const [kobo, status] of Object.entries(OUTCOMES)) {
    const reference = newReference();
    await step(`a payout of 150${kobo}`, () => order({ amount: Number(`150${kobo}`), reference }));
    await step(`a payout of 150${kobo}, an hour later`, hourLater);
    expect([kobo, (await read(reference)).Status]).toEqual([kobo, status]);
  }
  const left = newReference();
  await step('a payout that is on its way', () => order({ amount: 151.03, reference: left }));
}

const payoutOf = (server: TestApp, partner: TestPartner, wallet: string, payload: object): Promise<Answer> =>
  server.call('POST', `/v2/partner/wallet/${wallet}/payout`, {
    headers: partner.headers,
    payload: { ...ACCOUNT, ...payload },
  });

/** A payout of this state: the operator's id of it. */
async function payoutIn(
  server: TestApp,
  { partner, wallet, amount = 150.03 }: { partner: TestPartner; wallet: string; amount?: number },
): Promise<string> {
  await payoutOf(server, partner, wallet, { amount, reference: newReference() });
  await sendPayouts(server.resources);
  const { items } = (await server.operate('GET', `/payouts?wallet=${wallet}`)).json<{ items: { id: string }[] }>();
  return String(items[0]?.id);
}

/** A dispute of 300 of what one credit brought, in a wallet that has as much again. */
async function newDisputeOf(server: TestApp, given: object = {}) {
  const partner = await newPartner(server);
  const wallet = await kycWallet(server, partner);
  for (const reference of ['opening', 'more'])
    await moveMoney(server, partner, wallet, 'credit', { amount: 500, reference });
  const opened = await openDispute(server, partner.id, { amount: 300, ...given });
  return { id: opened.json<{ id: string }>().id, partner, wallet };
}

/** Root asks for what another operator has to agree to, who does. */
async function agreed(server: TestApp, asked: Answer): Promise<Answer> {
  if (asked.statusCode !== 202) throw new Error(`it did not wait: ${asked.statusCode} ${asked.body}`);
  return approve(await newOperator(server, 'finance'), asked.json<{ id: string }>().id);
}

/** What happens to money, each by those who do it, and what may come of it. */
export const moneyStories: Readonly<Record<string, Story>> = {
  async 'payouts of a partner, in every outcome'(server, step) {
    const partner = await newPartner(server);
    const { wallet } = await funded(server, partner);
    await everyOutcome(step, server, {
      partner,
      order: (payload) => payoutOf(server, partner, wallet, payload),
      read: async (reference) =>
        (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: partner.headers })).json(),
    });
  },

  async 'payouts of a customer, in every outcome'(server, step) {
    const partner = await newPartner(server);
    const ada = await loggedIn(server, partner, 30_000);
    await server.call('POST', '/v2/sso/wallet/bank-account', { headers: ada.headers, payload: ACCOUNT });
    const headersNow = async () => (await logInAt(server, partner, ada)).headers; // a token ends as time goes by
    await everyOutcome(step, server, {
      partner,
      order: async (payload) => server.call('POST', '/v2/sso/payout', { headers: await headersNow(), payload }),
      read: async (reference) => {
        const url = `/v2/sso/transaction?reference=${reference}`;
        return (await server.call('GET', url, { headers: await headersNow() })).json().items[0];
      },
    });
    const bola = await loggedIn(server, partner);
    const again = { ...ada, headers: await headersNow() };
    await step('a transfer after them', () =>
      pay(server, again, { paytag: bola.paytag, amount: 5, reference: 'after' }),
    );
  },

  async 'payouts that operators decide on'(server, step) {
    const partner = await newPartner(server);
    const { wallet } = await funded(server, partner);
    for (const outcome of ['SUCCESSFUL', 'FAILED']) {
      const id = await payoutIn(server, { partner, wallet });
      await step(`marked ${outcome}`, async () =>
        agreed(server, await server.operate('POST', `/payouts/${id}/mark`, { outcome, reason: 'they called' })),
      );
    }
    for (const account of ['WALLET', 'DIFFERENCE']) {
      const id = await payoutIn(server, { partner, wallet, amount: 150.01 });
      await step(`corrected out of ${account}`, async () =>
        agreed(server, await server.operate('POST', `/payouts/${id}/correct`, { account, reason: 'it was paid' })),
      );
      const { rows } = await server.owner.query<{ reference: string }>(
        'select t.reference from ledger.transaction t join payouts.payout p on p.correction_id = t.id where p.id = $1',
        [id],
      );
      await step(`the correction out of ${account} reversed`, () =>
        reverse(server, String(rows[0]?.reference), { reference: newReference() }),
      );
    }
    const verified = await payoutIn(server, { partner, wallet, amount: 150.02 });
    await step('verified', () => server.operate('POST', `/payouts/${verified}/verify`, {}));
    await payoutOf(server, partner, wallet, { amount: 150, reference: 'frozen-meanwhile' });
    await step('stopped by a wallet that was frozen since', () => changeWallet(server, wallet, { status: 'PND' }));
  },

  async 'what a payout’s provider says in any order'(server, step) {
    const partner = await newPartner(server);
    const { wallet } = await funded(server, partner);
    for (const script of [
      { sends: ['NOT_SENT'] },
      { sends: ['DIFFERENT'] },
      { sends: ['UNKNOWN'], verifies: ['NOT_FOUND', 'SUCCESSFUL'] },
      { sends: ['PENDING'], verifies: ['REVERSED'] },
      { sends: ['SUCCESSFUL'], verifies: ['FAILED'], recheckAfterMs: 1 },
      { sends: ['SUCCESSFUL'], verifies: ['NOT_FOUND'], recheckAfterMs: 1 },
      { sends: ['FAILED'] },
    ] as const) {
      const { provider } = scriptedProvider({
        ...script,
        sends: [...script.sends],
        verifies: 'verifies' in script ? [...script.verifies] : [],
      });
      await payoutOf(server, partner, wallet, { amount: 200, reference: newReference() });
      for (let asked = 0; asked < 3; asked++) {
        server.clock.advance(HOUR_MS);
        await step(`asked ${asked + 1} times: ${JSON.stringify(script)}`, () =>
          sendPayouts({ ...server.resources, payoutProvider: provider }),
        );
      }
    }
  },

  async 'disputes, in every end'(server, step) {
    for (const state of ['WON', 'LOST']) {
      const { id, partner, wallet } = await step(`a dispute that will be ${state}`, () => newDisputeOf(server));
      await step('answered', () => answerDispute(server, partner, id));
      await step(`decided ${state}`, () => decideDispute(server, id, state));
      await step('what is left is paid out', () =>
        payoutOf(server, partner, wallet, { amount: 50, reference: 'rest' }),
      );
    }
    const late = await newDisputeOf(server, { respondBy: inDays(server, 1) });
    await step('nobody answers in time', async () => server.clock.advance(2 * 24 * HOUR_MS));
    await step('lost late', () => decideDispute(server, late.id, 'LOST'));
    const refunded = await newDisputeOf(server);
    await step('refunded in part meanwhile', () =>
      refund(server, refunded.partner, 'opening', { reference: 'part', amount: 150 }),
    );
    await step('lost, of which a part was given back', () => decideDispute(server, refunded.id, 'LOST'));
    const closed = await newDisputeOf(server);
    await changeWallet(server, closed.wallet, { status: 'Blocked' });
    await step('lost in vain, since the wallet is Blocked', async () => {
      await decideDispute(server, closed.id, 'LOST');
    });
  },

  async 'refunds and reversals of every kind of movement'(server, step) {
    const partner = await newPartner(server);
    const { id: partnerId } = partner;
    const { wallet, nuban } = await funded(server, partner);
    const terminal = await newTerminal(server, partner);
    const { gateway, atTerminal, inbound } = paymentsOf(server);
    const [ada, bola] = [await loggedIn(server, partner, 5_000), await loggedIn(server, partner)];
    const made: Record<string, (reference: string) => Promise<Answer>> = {
      credit: (reference) => moveMoney(server, partner, wallet, 'credit', { amount: 1_200, reference }),
      debit: (reference) => moveMoney(server, partner, wallet, 'debit', { amount: 1_200, reference }),
      gateway: (reference) => gateway(partner, { amount: 1_200, reference }),
      'gateway into a wallet': (reference) => gateway(partner, { amount: 1_200, reference, walletReference: wallet }),
      terminal: (reference) => atTerminal(terminal, { amount: 1_200, reference }),
      inbound: (reference) => inbound(nuban, { amount: 1_200, reference }),
      transfer: (reference) => pay(server, ada, { paytag: bola.paytag, amount: 100, reference }),
    };
    for (const [what, make] of Object.entries(made)) {
      const again = async () => (await step(what, () => make(newReference()))).json<{ Reference: string }>().Reference;
      const whole = await again();
      await step(`a ${what} reversed`, () =>
        server.operate('POST', `/transactions/${whole}/reverse`, {
          partnerId,
          reference: newReference(),
          reason: 'a mistake',
        }),
      );
      const parts = await again();
      for (const amount of [40, 60]) {
        await step(`${amount} of a ${what} refunded`, () =>
          server.operate('POST', `/transactions/${parts}/refund`, {
            partnerId,
            amount,
            reference: newReference(),
            reason: 'a complaint',
          }),
        );
      }
    }
  },

  async 'what waits in suspense, until it waits no longer'(server, step) {
    const partner = await newPartner(server);
    const { wallet, nuban } = await funded(server, partner);
    const { inbound, gateway } = paymentsOf(server);
    for (const resolution of [{ to: 'wallet', walletReference: wallet }, { to: 'float' }]) {
      const { id } = await step('a payment waits', () => waitingPayment(server, partner, 1_300));
      await step(`resolved to a ${resolution.to}`, () => resolve(server, id, resolution));
    }
    const returned = await waitingPayment(server, partner, 1_300);
    await step('sent back', () => resolve(server, returned.id, { to: 'return', reference: newReference() }));
    const reversed = await waitingPayment(server, partner, 1_300);
    await step('reversed while it waits', () =>
      reverse(server, reversed.reference, { partnerId: partner.id, reference: newReference() }),
    );
    const debit = newReference();
    await moveMoney(server, partner, wallet, 'debit', { amount: 500, reference: debit });
    await changeWallet(server, wallet, { status: 'PNC' });
    await step('paid into a wallet that takes nothing', () => inbound(nuban, { amount: 1_300 }));
    await step('by a gateway too', () => gateway(partner, { amount: 1_300, walletReference: wallet }));
    await step('refunded to it', () => refund(server, partner, debit, { reference: newReference() }));
    await step('which takes money again', () => changeWallet(server, wallet, { status: 'Enabled' }));
    const closed = await newWallet(server, partner);
    await server.operate('POST', `/wallets/${closed.reference}/revoke`, { reason: 'opened by mistake' });
    await step('paid to a wallet that is closed', () => inbound(closed.nuban, { amount: 10 }));
  },

  async 'splits, in every end'(server, step) {
    const partner = await newPartner(server);
    const terminal = await newTerminal(server, partner);
    const split = (amount: number, given: object = {}) => newSplit(server, terminal, amount, given);
    const paid = await split(100);
    for (const amount of [40, 60, 7]) {
      await step(`${amount} paid of 100`, () => payAt(server, terminal, { amount, split: paid }));
    }
    const cancelled = await split(50);
    const headers = { ...partner.headers, 'x-terminal': terminal };
    await step('cancelled', () => server.call('POST', `/v2/partner/terminal/split/${cancelled}/cancel`, { headers }));
    await step('paid all the same', () => payAt(server, terminal, { amount: 50, split: cancelled }));
    const expired = await split(50, { expiresAt: inDays(server, 1) });
    await step('expired', async () => server.clock.advance(25 * HOUR_MS));
    await step('paid after it expired', () => payAt(server, terminal, { amount: 50, split: expired }));
  },

  async 'floats, settlements and remittances'(server, step) {
    const partner = await newPartner(server);
    const named = () => ({ reference: newReference(), reason: 'a test asks for it' });
    const at = (what: string) => `/partners/${partner.id}/${what}`;
    await step('a float', () => server.operate('POST', at('float'), { amount: 10_000, ...named() }));
    await step('another currency', () =>
      server.operate('POST', at('float'), { amount: 10, currency: 'FP', ...named() }),
    );
    await step('a settlement', () => server.operate('POST', at('settlement'), { amount: 5_000, ...named() }));
    const settled = newReference();
    const back = { amount: 70, reference: settled, reason: 'a test' };
    await step('one that comes back', () => server.operate('POST', at('settlement'), back));
    await step('and is reversed', () => reverse(server, settled, { partnerId: partner.id, reference: newReference() }));
    for (const account of ['FEE', 'COMMISSION', 'STAMP_DUTY']) {
      await step(`a remittance of ${account}`, () =>
        server.operate('POST', '/remittances', { account, amount: 0.01, ...named() }),
      );
    }
  },

  async 'the lines of a bank’s file'(server, step) {
    const partner = await newPartner(server);
    const { nuban } = await newWallet(server, partner);
    const { inbound } = paymentsOf(server);
    const day = businessDay(server.clock.now());
    const [matched, late, lone] = [newReference(), newReference(), newReference()];
    await inbound(nuban, { amount: 640, reference: matched });
    const lines = [
      { day, amount: 64_000n, reference: matched },
      { day, amount: -5_000n, reference: lone },
      { day, amount: 70_000n, reference: late, narration: 'from Bola' },
      { day, amount: 1_300n, reference: newReference() },
    ];
    const { id } = (
      await step('imported', () =>
        server.operate('POST', '/reconciliation/imports', importOf('INBOUND', 'MT940', lines)),
      )
    ).json<{ id: string }>();
    const { items } = (await server.operate('GET', `/reconciliation/items?importId=${id}&status=THEIRS_ALONE`)).json<{
      items: { id: string; bankAmount: number }[];
    }>();
    const itemOf = (amount: number) => items.find(({ bankAmount }) => bankAmount === amount)?.id;
    const resolved = (amount: number, resolution: object) =>
      server.operate('POST', `/reconciliation/items/${itemOf(amount)}/resolve`, { reason: 'looked up', ...resolution });
    await step('posted as a fee', () => resolved(-50, { action: 'POST', account: 'FEE' }));
    await step('booked to a wallet', () => resolved(700, { action: 'BOOK', nuban, senderName: 'Bola Ade' }));
    await step('reported by its rail after that', () =>
      inbound(nuban, { amount: 700, reference: late, sender: { name: 'Bola Ade' } }),
    );
    const other = (await inbound(nuban, { amount: 13, reference: newReference() })).json<{ ID: number }>().ID;
    await step('matched by hand', () => resolved(13, { action: 'MATCH', transactionId: other }));
  },

  async 'what providers tell'(server, step) {
    const partner = await newPartner(server);
    const { wallet } = await funded(server, partner);
    const { headers } = partner;
    const account = await server.call('POST', `/v2/partner/wallet/${wallet}/account`, { headers });
    const collected = { nuban: account.json().AccountNumber, amount: 40, sender: { name: 'Ada' } };
    await step('collected', () =>
      server.call('POST', '/v2/sandbox/payment/inbound', {
        headers,
        payload: { ...collected, reference: newReference() },
      }),
    );
    await changeWallet(server, wallet, { status: 'PNC' });
    await step('collected for a wallet that takes nothing', () =>
      server.call('POST', '/v2/sandbox/payment/inbound', {
        headers,
        payload: { ...collected, reference: newReference() },
      }),
    );
    const credited = await unknownPayment(server);
    const asked = { walletReference: (await newWallet(server, partner)).reference, reason: 'they called' };
    await step('credited by operators', () => server.operate('POST', `/inbox/${credited}/credit`, asked));
    const dismissed = await unknownPayment(server);
    await step('tried again', () => server.operate('POST', `/inbox/${dismissed}/retry`, {}));
    await step('dismissed', () => server.operate('POST', `/inbox/${dismissed}/dismiss`, { reason: 'not ours' }));
    await step('a day compared', () =>
      server.operate('POST', '/rails/simulator/compare', { date: businessDay(new Date(Date.now() - 24 * HOUR_MS)) }),
    );
  },

  async 'wallets that are restricted, and closed'(server, step) {
    const partner = await newPartner(server);
    const { wallet } = await funded(server, partner, 500);
    const placed = await step('a lien', () =>
      server.operate('POST', `/wallets/${wallet}/liens`, { amount: 700, reason: 'court order' }),
    );
    await step('lifted', () =>
      server.operate('POST', `/wallets/${wallet}/liens/${placed.json().id}/lift`, { reason: 'paid' }),
    );
    for (const status of ['PND', 'PNC', 'Blocked', 'Enabled'])
      await step(status, () => changeWallet(server, wallet, { status }));
    await step('a limit', () => changeWallet(server, wallet, { dailyLimit: 750, tier: 2 }));
    await step('emptied', () =>
      moveMoney(server, partner, wallet, 'debit', { amount: 500, reference: newReference() }),
    );
    await step('closed', () => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'as they ask' }));
    await step('credited in vain', async () => {
      await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: newReference() });
    });
  },

  async 'customers who are frozen, robbed and forgotten'(server, step) {
    const partner = await newPartner(server);
    const ada = await loggedIn(server, partner, 2_000);
    const id = await customerIdOf(server, ada.paytag);
    await server.call('POST', '/v2/sso/wallet/bank-account', { headers: ada.headers, payload: ACCOUNT });
    const payload = { amount: 150.03, reference: 'before-the-freeze' };
    await step('pays out', () => server.call('POST', '/v2/sso/payout', { headers: ada.headers, payload }));
    await step('is frozen with money on its way', () => actOn(server, id, 'freeze'));
    await step('is paid meanwhile', () =>
      moveMoney(server, partner, ada.wallet, 'credit', { amount: 5, reference: newReference() }),
    );
    await step('is released', () => actOn(server, id, 'release'));
    await step('is frozen again', () => actOn(server, id, 'freeze'));
    await step('gets the BVN back', () => handedBack(server, id));
    const leaving = await loggedIn(server, partner, 10);
    await step('spends all', () =>
      moveMoney(server, partner, leaving.wallet, 'debit', { amount: 10, reference: newReference() }),
    );
    const gone = await customerIdOf(server, leaving.paytag);
    await step('is erased', () => actOn(server, gone, 'erase'));
  },
};
