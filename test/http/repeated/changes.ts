import { maintain } from '../../../src/worker/maintenance.ts';
import type { TestApp } from '../../support/app.ts';
import { logIn } from '../../support/onboarding.ts';
import { decide, setTagStatus, type Verb } from '../../support/switch.ts';
import { changeWallet, logInAt, moveMoney, refund } from '../../support/wallets.ts';
import type { World } from './world.ts';

/** Changes the world, if it can: what is refused changes nothing. */
type Change = (server: TestApp, world: World) => Promise<unknown>;

const walletOf = {
  'her wallet': ({ ada }: World) => ada.wallet,
  'the payee’s wallet': ({ bola }: World) => bola.wallet,
  'the profile’s wallet': ({ wallet }: World) => wallet,
};
let made = 0;
/** A reference that nothing else has. */
const fresh = (): string => `fresh-${++made}`;

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
