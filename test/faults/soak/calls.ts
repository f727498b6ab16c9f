import type { Seeded } from '../../support/cases.ts';
import { all, applicationCall, customerCall, naira, operate, partnerGet, type Turn } from './asked.ts';
import { payIn } from './books.ts';
import { askForClaim, dispute, onboard } from './customers.ts';
import { readStatement } from './statements.ts';

/** A movement between a float and a wallet; of counted wallets most, so that much can be added up. */
const movement: Turn = (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const isCounted = by.chance(70);
  const wallet = by.pick(isCounted ? partner.counted : partner.wallets);
  const verb = by.chance(65) ? 'credit' : 'debit';
  const amount = naira(by, 50);
  const kobo = Math.round(amount * 100) * (verb === 'credit' ? 1 : -1);
  return ask({
    kind: `partner ${verb}s`,
    method: 'POST',
    path: `/v2/partner/wallet/${wallet.reference}/${verb}`,
    json: { amount, reference, comment: reference },
    headers: () => partner.headers,
    reference,
    isPosting: true,
    ...(isCounted && { counted: { wallet: wallet.reference, kobo } }),
  });
};

const refund: Turn = async (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const wallet = by.pick(partner.wallets);
  const [amount, part] = [naira(by, 30), by.chance(50)];
  const credit = { amount, reference, comment: 'to be refunded' };
  const headers = () => partner.headers;
  const path = `/v2/partner/wallet/${wallet.reference}/credit`;
  const posting = { method: 'POST', headers, isPosting: true } as const;
  const made = await ask({ ...posting, kind: 'partner credits', path, json: credit, reference });
  if (made?.status !== 200) return;
  await ask({
    ...posting,
    kind: 'partner refunds',
    path: `/v2/partner/transaction/${reference}/refund`,
    json: { reference: `${reference}-back`, ...(part && { amount: Math.max(0.01, Math.floor(amount * 50) / 100) }) },
    reference: `${reference}-back`,
  });
};

const payout: Turn = (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const wallet = by.pick(partner.wallets);
  const amount = by.between(1, 20) + by.pick([0, 0, 0.01, 0.02, 0.04]);
  return ask({
    kind: 'partner payouts',
    method: 'POST',
    path: `/v2/partner/wallet/${wallet.reference}/payout`,
    json: { amount, reference, accountNumber: '0123456789', bankCode: '058', accountName: 'Chidi Okafor' },
    headers: () => partner.headers,
    reference,
    isPosting: true,
  });
};

const openWallet: Turn = (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  const headers = () => ({ ...partner.headers, 'idempotency-key': reference });
  return ask({ kind: 'partner opens wallets', method: 'POST', path: '/v2/partner/wallet', json, headers });
};

const transfer: Turn = (world, by, reference, ask) => {
  const [from, to] = [by.pick(world.partners), by.pick(world.partners)];
  const at = by.chance(60) ? 0 : 1;
  const [customer, other] = [from.customers[at], to.customers[1 - at]];
  if (customer === undefined || other === undefined) throw new Error('each partner has two customers');
  const json = { paytag: other.paytag, amount: naira(by, 40), reference, comment: reference };
  const asked = {
    kind: 'customer transfers',
    method: 'POST',
    path: '/v2/sso/transaction',
    json,
    reference,
    isPosting: true,
  } as const;
  return ask(customerCall(customer, asked));
};

const customerReads: Turn = (world, by, _reference, ask) => {
  const path = by.pick(['', '/wallet', '/wallet/limit', '/qr', '/beneficiary']);
  const customer = by.pick(by.pick(world.partners).customers);
  return ask(
    customerCall(customer, {
      kind: 'customer reads',
      method: 'GET',
      path: `/v2/sso${path === '' ? '/contact' : path}`,
    }),
  );
};

const logIn: Turn = async (world, by, _reference, ask) => {
  const partner = by.pick(world.partners);
  const { paytag } = by.pick(partner.customers);
  const json = { paytag, password: 'correct horse battery staple' };
  const headers = () => partner.headers;
  const redirect = await ask({
    kind: 'customer logins',
    method: 'POST',
    path: '/v2/sso/auth-code?scope=profile',
    json,
    headers,
    isLimited: true,
  });
  if (redirect?.status !== 200) return;
  const code = new URL(redirect.text).searchParams.get('auth-code');
  await ask({ kind: 'codes exchanged', method: 'GET', path: `/v2/sso/token?auth-code=${code}`, headers });
};

const DECIDED = { accept: 'ACCEPTED', reject: 'REJECTED', cancel: 'CANCELLED' } as const;

const offer: Turn = async (world, by, reference, ask) => {
  const [one, other] = world.applications;
  if (one === undefined || other === undefined) throw new Error('there are two applications');
  const [from, to] = by.chance(50) ? [one, other] : [other, one];
  const verb = by.pick(['accept', 'accept', 'reject', 'cancel', undefined] as const);
  const json = { senderTag: from.tag, receiverTag: to.tag, amount: naira(by, 90), currency: 'NGN', reference };
  const asked = {
    kind: 'offers',
    method: 'POST',
    path: '/api/v1/transactions',
    json,
    reference,
    offer: { reference, becomes: 'AWAITING_ACCEPTANCE' },
  } as const;
  const made = await ask(applicationCall(from, asked));
  const id = (made?.body['data'] as { id?: string } | undefined)?.id;
  if (id === undefined || verb === undefined) return;
  const answered = {
    kind: `offers ${verb}ed`,
    method: 'POST',
    path: `/api/v1/transactions/${id}/${verb}`,
    json: verb === 'reject' ? { rejectionReason: 'not today' } : {},
    offer: { reference, becomes: DECIDED[verb] },
  } as const;
  await ask(applicationCall(verb === 'cancel' ? from : to, answered));
};

const switchReads: Turn = (world, by, _reference, ask) => {
  const application = by.pick(world.applications);
  const path = by.pick([
    `/tags/${application.tag}`,
    `/tags/${application.tag}/claims`,
    '/transactions/pending',
    '/wallet',
  ]);
  return ask(applicationCall(application, { kind: 'switch reads', method: 'GET', path: `/api/v1${path}` }));
};

const identity: Turn = (world, by, _reference, ask) => {
  const { credentials: json } = by.pick(world.applications);
  return ask({ kind: 'application tokens', method: 'POST', path: '/api/v1/auth/token', json, headers: () => ({}) });
};

const report: Turn = (world, by, reference, ask) => {
  const partner = by.pick(world.partners);
  const reported = { amount: naira(by, 60), reference, sender: { name: 'Bola Ade' } };
  const json = by.pick([
    { ...reported, type: 'INBOUND', nuban: by.pick(partner.wallets).nuban },
    { ...reported, type: 'PARTNER_GATEWAY', partnerId: partner.id },
    { ...reported, type: 'PARTNER_TERMINAL', terminal: partner.terminal },
  ]);
  return ask(operate({ kind: 'rails report', path: '/operator/v1/transactions', json, reference, isPosting: true }));
};

const fund: Turn = (world, by, reference, ask) => {
  const path = `/operator/v1/partners/${by.pick(world.partners).id}/float`;
  return ask(
    operate({ kind: 'floats funded', path, json: { amount: naira(by, 10), reference }, reference, isPosting: true }),
  );
};

const operatorReads: Turn = (world, by, _reference, ask) => {
  const partner = by.pick(world.partners);
  const path = by.pick([
    `/deliveries?partnerId=${partner.id}`,
    `/partners/${partner.id}`,
    '/transactions?limit=5',
    '/seals',
    '/overview',
  ]);
  return ask(operate({ kind: 'operator reads', path: `/operator/v1${path}` }));
};

/** What is done, and how often of a hundred turns. */
const turns: readonly (readonly [number, Turn])[] = [
  [22, movement],
  [4, refund],
  [4, payout],
  [3, openWallet],
  [4, partnerGet((partner, by) => `/wallet/${by.pick(all(partner)).reference}`)],
  [3, partnerGet((partner, by) => `/wallet/${by.pick(all(partner)).reference}/history?limit=5`)],
  [2, partnerGet(() => '/float')],
  [12, transfer],
  [6, customerReads],
  [2, logIn],
  [2, onboard],
  [2, readStatement],
  [8, offer],
  [3, askForClaim],
  [4, switchReads],
  [3, identity],
  [6, report],
  [3, payIn],
  [2, dispute],
  [2, fund],
  [3, operatorReads],
];

/** Draws what a client does in its next turn. */
export function drawTurn(by: Seeded): Turn {
  let at = by.fraction() * turns.reduce((sum, [share]) => sum + share, 0);
  for (const [share, turn] of turns) {
    at -= share;
    if (at < 0) return turn;
  }
  return movement;
}
