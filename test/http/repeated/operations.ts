import type { Answer, TestApp } from '../../support/app.ts';
import { initiate } from '../../support/switch.ts';
import { logInAt, moveMoney, pay, refund } from '../../support/wallets.ts';
import type { World } from './world.ts';

/** Sends a request that is always the same, through one of the servers. */
type Operation = (server: TestApp, world: World) => Promise<Answer>;

const sender = { name: 'Bola Ade', paytag: 'bola', type: 'CARD' };

const move =
  (way: 'credit' | 'debit', amount: number, reference: string): Operation =>
  (server, { partner, wallet }) =>
    moveMoney(server, partner, wallet, way, {
      amount,
      reference,
      comment: 'again',
      metadata: { b: [1, { d: 2 }], a: '' },
    });

/** With the token of a new login where the last one has ended. */
const transfer =
  (amount: number, reference: string): Operation =>
  async (server, world) => {
    const payload = { paytag: `@${world.bola.paytag}`, amount, reference, comment: 'Lunch' };
    const sent = await pay(server, world.ada, payload);
    if (sent.statusCode !== 401) return sent;
    world.ada = await logInAt(server, world.partner, world.ada);
    return pay(server, world.ada, payload);
  };

const offer =
  (amount: number, reference: string, to: 'market' | 'bola'): Operation =>
  async (server, world) => {
    const receiverTag = to === 'bola' ? world.bola.paytag : world.market.tag;
    const made = await initiate(server, world.acme, { receiverTag, amount, reference, narration: 'two fridges' });
    if (made.statusCode === 201 && to === 'market') world.offer = made.json<{ data: { id: string } }>().data.id;
    return made;
  };

const report =
  (reference: string, given: (world: World) => object): Operation =>
  (server, world) =>
    server.operate('POST', '/transactions', { amount: 200, reference, sender, ...given(world) });

const operate =
  (path: (world: World) => string, body: (world: World) => object): Operation =>
  (server, world) =>
    server.operate('POST', path(world), body(world));

/** Every kind of request that moves money, and some that are declined. */
export const operations: Record<string, Operation> = {
  credit: move('credit', 50, 'a-credit'),
  debit: move('debit', 20, 'a-debit'),
  'a debit of too much': move('debit', 900_000, 'declined'),
  refund: (server, { partner }) => refund(server, partner, 'out', { reference: 'a-refund', amount: 30 }),
  'refund of the rest': (server, { partner }) => refund(server, partner, 'out', { reference: 'a-rest' }),
  'refund of a credit': (server, { partner }) => refund(server, partner, 'in', { reference: 'a-third', amount: 10 }),
  'refund by the operator': operate(
    (world) => `/transactions/${world.transfer}/refund`,
    (world) => ({ partnerId: world.partner.id, reference: 'by-operator', amount: 40, reason: 'a complaint' }),
  ),
  'reversal by the operator': operate(
    () => '/transactions/aside/reverse',
    ({ partner: { id: partnerId } }) => ({ partnerId, reference: 'reversed', reason: 'a mistake' }),
  ),
  transfer: transfer(60, 'a-transfer'),
  'a transfer of too much': transfer(150_000, 'a-dream'),
  'float funded': operate(
    ({ partner }) => `/partners/${partner.id}/float`,
    () => ({ amount: 70, reference: 'funded' }),
  ),
  'float settled': operate(
    ({ partner }) => `/partners/${partner.id}/settlement`,
    () => ({ amount: 80, reference: 'settled' }),
  ),
  'application funded': operate(
    ({ acme }) => `/applications/${acme.applicationId}/fund`,
    () => ({ amount: 90, currency: 'FP', reference: 'funded' }),
  ),
  offer: offer(100, 'an-offer', 'market'),
  'an offer of too much': offer(2_000_000, 'a-dream', 'market'),
  'payment to a PayTag': offer(110, 'a-payment', 'bola'),
  'gateway payment to a wallet': report('g-wallet', ({ partner, wallet }) => {
    return { type: 'PARTNER_GATEWAY', partnerId: partner.id, walletReference: wallet };
  }),
  'gateway payment to the float': report('g-float', ({ partner }) => {
    return { type: 'PARTNER_GATEWAY', partnerId: partner.id, metadata: { till: 4 } };
  }),
  'instalment of a split': report('t-split', ({ terminal, split }) => ({ type: 'PARTNER_TERMINAL', terminal, split })),
  'instalment that the split may not take': report('t-more', ({ terminal, split }) => {
    return { type: 'PARTNER_TERMINAL', terminal, split };
  }),
  'inbound transfer': report('i-1', ({ nuban }) => ({ type: 'INBOUND', nuban })),
  'inbound transfer to a customer': report('i-2', ({ bolasNuban: nuban }) => ({ type: 'INBOUND', nuban })),
};
