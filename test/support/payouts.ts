import { beforeAll } from 'vitest';
import { sendPayouts } from '#modules/payouts';
import {
  PayoutDiffers,
  PayoutNotSent,
  type PayoutOrder,
  type PayoutProvider,
  type PayoutReport,
  PayoutUnknown,
} from '../../src/providers/payout/port.ts';
import type { TestApp, TestPartner } from './app.ts';
import { fundedWallet, newReference } from './wallets.ts';

/** Of the owner of every wallet, in the simulator. */
export const ACCOUNT = { accountNumber: '0123456789', bankCode: '058' };

type Step = PayoutReport['state'] | 'UNKNOWN' | 'NOT_SENT' | 'DIFFERENT';

/** Longer than any test is. */
const NEVER_MS = 365 * 86_400_000;

interface Script {
  name?: string;
  sends?: Step[];
  verifies?: Step[];
  recheckAfterMs?: number;
  /** What happens meanwhile: between the order and the answer to it. */
  whileSending?: () => Promise<void>;
  whileAsked?: () => Promise<void>;
}

/** A provider that answers what a test has written down, and remembers what it was asked to pay. */
export function scriptedProvider({ sends = [], verifies = [], ...given }: Script = {}) {
  const { name = 'simulator', recheckAfterMs = NEVER_MS, whileSending, whileAsked } = given;
  const sent: PayoutOrder[] = [];
  let asked = 0;
  const take = (steps: Step[]): PayoutReport => {
    const state = steps.shift() ?? 'SUCCESSFUL';
    if (state === 'UNKNOWN') throw new PayoutUnknown('the script does not say');
    if (state === 'DIFFERENT') throw new PayoutDiffers('the script has another payment');
    if (state === 'NOT_SENT') throw new PayoutNotSent('the script is away');
    return state === 'FAILED' ? { state, detail: 'the script says so' } : { state };
  };
  const provider: PayoutProvider = {
    name,
    leastAmount: 100n,
    recheckAfterMs,
    async send(order, record) {
      if (!(await record())) throw new PayoutNotSent('the script was too late');
      sent.push(order);
      await whileSending?.();
      return take(sends);
    },
    async verify() {
      asked += 1;
      await whileAsked?.();
      return take(verifies);
    },
  };
  return {
    provider,
    sent,
    get asked() {
      return asked;
    },
  };
}

/** A payout whose end nobody knows. */
export async function unknownPayout(server: TestApp): Promise<{ id: string; partner: TestPartner; wallet: string }> {
  const { partner, wallet } = await fundedWallet(server, 500);
  await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, {
    headers: partner.headers,
    payload: { amount: 300.03, reference: 'payout', ...ACCOUNT },
  });
  await sendPayouts(server.resources);
  const { items } = (await server.operate('GET', `/payouts?wallet=${wallet}`)).json<{ items: { id: string }[] }>();
  return { id: String(items[0]?.id), partner, wallet };
}

/** A partner with a funded wallet that pays out, and the worker that carries what it orders. */
export function payoutsOf(server: TestApp) {
  let partner: TestPartner;
  let wallet: string;
  beforeAll(async () => {
    ({ partner, wallet } = await fundedWallet(server, 100_000));
  });
  return {
    get partner() {
      return partner;
    },
    get wallet() {
      return wallet;
    },
    /** 1,000 naira under a new reference, unless it is given something else. */
    payOut: (given: object = {}, from = wallet) =>
      server.call('POST', `/v2/partner/wallet/${from}/payout`, {
        headers: partner.headers,
        payload: { amount: 1000, reference: newReference(), ...ACCOUNT, ...given },
      }),
    read: async (reference: string) =>
      (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: partner.headers })).json(),
    walletNow: async () =>
      (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet,
    /** One run of the worker, when everything that waits is due. */
    carry: async (provider = scriptedProvider().provider, afterMs = 60_000) => {
      server.clock.advance(afterMs);
      await sendPayouts({ ...server.resources, payoutProvider: provider });
    },
  };
}
