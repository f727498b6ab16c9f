import { maintain } from '../../../src/worker/maintenance.ts';
import type { Answer, TestApp } from '../../support/app.ts';
import { logIn } from '../../support/onboarding.ts';
import { decide, initiate, setTagStatus, type Verb } from '../../support/switch.ts';
import { changeWallet, logInAt, moveMoney, pay, refund } from '../../support/wallets.ts';
import type { World } from './world.ts';

/** Changes the world, if it can: what is refused changes nothing. */
type Change = (server: TestApp, world: World) => Promise<unknown>;

const walletOf = {
  'her wallet': ({ ada }: World) => ada.wallet,
  'the payee’s wallet': ({ bola }: World) => bola.wallet,
  'the profile’s wallet': ({ wallet }: World) => wallet,
};
let referencesMade = 0;
/** A reference that nothing else has. */
const fresh = (): string => `fresh-${++referencesMade}`;

/** Takes out all that is in it, so that it can be revoked. */
async function revoke(server: TestApp, { partner }: World, wallet: string): Promise<void> {
  await changeWallet(server, wallet, { status: 'Enabled' });
  const shown = await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers });
  const amount = shown.json<{ Wallet?: { TotalAmount: number } }>().Wallet?.TotalAmount ?? 0;
  if (amount > 0) await moveMoney(server, partner, wallet, 'debit', { amount, reference: fresh() });
  await server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'a test' });
}

/** Opens another wallet where the last one was revoked. A PayTag that is closed or suspended does not log in. */
async function reopen(server: TestApp, world: World, who: 'ada' | 'bola'): Promise<void> {
  const answer = await logIn(server, world.partner, world[who].paytag);
  if (answer.statusCode === 200) world[who] = await logInAt(server, world.partner, world[who]);
}

const onWallet = (what: string, change: (server: TestApp, wallet: string, world: World) => Promise<unknown>) =>
  Object.entries(walletOf).map(([whose, find]): [string, Change] => [
    `${whose} is ${what}`,
    (server, world) => change(server, find(world), world),
  ]);

const refundOf = (original: string): [string, Change] => [
  `${original} is refunded`,
  (server, { partner }) => refund(server, partner, original, { reference: fresh(), amount: 5 }),
];

const reversalOf = (original: string): [string, Change] => [
  `${original} is reversed`,
  (server, { partner: { id: partnerId } }) =>
    server.operate('POST', `/transactions/${original}/reverse`, { partnerId, reference: fresh(), reason: 'a test' }),
];

/** Pays what waits of the partner into its float. */
async function resolveAll(server: TestApp, { partner }: World): Promise<void> {
  const waiting = await server.operate('GET', `/suspense?partnerId=${partner.id}`);
  for (const { id } of waiting.json<{ items: { id: number }[] }>().items) {
    await server.operate('POST', `/suspense/${id}/resolve`, { to: 'float', reason: 'a test' });
  }
}

const decided = (verb: Verb): [string, Change] => [
  `the offer is asked to ${verb}`,
  async (server, { acme, market, offer }) =>
    offer === undefined ? undefined : decide(server, verb === 'cancel' ? acme : market, offer, verb),
];

const tagIs = (status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED'): [string, Change][] => [
  [`the payee’s tag is ${status}`, (server, { bola }) => setTagStatus(server, bola.paytag, status)],
  [`the receiver’s tag is ${status}`, (server, { market }) => setTagStatus(server, market.tag, status)],
  [`the sender’s tag is ${status}`, (server, { acme }) => setTagStatus(server, acme.tag, status)],
];

const partnerIs = (verb: 'suspend' | 'restore'): Change => {
  return (server, { partner }) => server.operate('POST', `/partners/${partner.id}/${verb}`, { reason: 'a test' });
};

/** Whatever can change between a request and its repetition, fees aside. */
export const changes: Record<string, Change> = Object.fromEntries([
  ...['Blocked', 'PND', 'PNC', 'Enabled'].flatMap((status) =>
    onWallet(status, (server, wallet) => changeWallet(server, wallet, { status })),
  ),
  ...onWallet('limited to nothing', (server, wallet) => changeWallet(server, wallet, { dailyLimit: 0 })),
  ...onWallet('of tier 3', (server, wallet) => changeWallet(server, wallet, { dailyLimit: null, tier: 3 })),
  ...onWallet('revoked', (server, wallet, world) => revoke(server, world, wallet)),
  ['she logs in', (server, world) => reopen(server, world, 'ada')],
  ['the payee logs in', (server, world) => reopen(server, world, 'bola')],
  ...(['ACTIVE', 'SUSPENDED', 'CLOSED'] as const).flatMap(tagIs),
  ...['in', 'a-credit', 'a-debit', 'g-wallet', 'g-float', 't-split'].map(refundOf),
  ...['out', 'a-debit', 'a-refund', 'funded', 'g-float', 't-split'].map(reversalOf),
  ...(['accept', 'reject', 'cancel'] as const).map(decided),
  [
    'the partner was suspended for a while',
    async (server, world) => {
      await partnerIs('suspend')(server, world);
      await partnerIs('restore')(server, world);
    },
  ],
  [
    'the float is moved',
    (server, { partner }) => {
      return server.operate('POST', `/partners/${partner.id}/float`, { amount: 3, reference: fresh() });
    },
  ],
  [
    'the application has another address',
    (server, { acme: { headers } }) => {
      const payload = { url: `http://127.0.0.1:9/${fresh()}` };
      return server.call('PUT', '/api/v1/applications/webhook', { headers, payload });
    },
  ],
  ['what waits is resolved', resolveAll],
  ['what waits is settled', (server) => maintain(server.resources)],
] satisfies [string, Change][]);

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
