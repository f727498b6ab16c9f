import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox } from '#modules/collections';
import { type TestPartner, useApp } from '../../support/app.ts';
import {
  PAYSTACK_ENV,
  PAYSTACK_KEY,
  sentPayout,
  signatureOf,
  tell,
  transferMessage,
} from '../../support/paystack-hooks.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp(PAYSTACK_ENV);
let partner: TestPartner;
let wallet: string;

beforeAll(async () => {
  ({ partner, wallet } = await fundedWallet(server, 1_000_000));
});

const payout = () => sentPayout(server, { headers: partner.headers, wallet });
const messages = async () =>
  (await server.owner.query<{ state: string; difference: string | null }>('select * from inbox.message order by id'))
    .rows;
const last = async () => (await messages()).at(-1);
const total = async () =>
  (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet.TotalAmount;
const stateOf = async (id: string) => (await server.operate('GET', `/payouts/${id}`)).json().state;

/** What the worker does, when everything that waits is due. */
async function work(): Promise<void> {
  server.clock.advance(4_000);
  await bookInbox(server.resources);
}

describe('200', () => {
  it('is answered once it is stored, before it is booked', async () => {
    const { id, transfer } = await payout();
    const answer = await tell(server, transferMessage('success', transfer));
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
    expect(await stateOf(id)).toBe('SENT');
    expect(await last()).toMatchObject({ state: 'RECEIVED' });
    await work();
    expect(await stateOf(id)).toBe('SUCCESSFUL');
    expect(await last()).toMatchObject({ state: 'BOOKED', kind: 'TRANSFER', reference: transfer.reference });
  });

  it('is answered again to what came before, which is stored and booked once', async () => {
    const { transfer } = await payout();
    const [before, count] = [await total(), (await messages()).length];
    const body = transferMessage('success', transfer);
    await Promise.all(Array.from({ length: 5 }, () => tell(server, body)));
    await work();
    expect((await tell(server, body)).statusCode).toBe(200);
    await work();
    expect(await total()).toBe(before - 1000);
    expect(await messages()).toHaveLength(count + 1);
  });

  it('is answered to what we make no use of: it is stored, and ignored', async () => {
    for (const body of ['{"event":"subscription.create","data":{}}', '{"event":"invoice.update","data":{"id":7}}']) {
      expect((await tell(server, body)).statusCode).toBe(200);
      await work();
      expect(await last()).toMatchObject({ state: 'IGNORED' });
    }
  });

  it('is answered to a body of 200 KiB: what it says beside is the provider’s business', async () => {
    const body = JSON.stringify({ event: 'charge.success', data: { metadata: 'x'.repeat(200 * 1024) } });
    expect((await tell(server, body)).statusCode).toBe(200);
  });
});

describe('401', () => {
  const forged = (body: string): [string, string, string][] => {
    const good = signatureOf(body);
    return [
      ['has no signature', body, ''],
      ['is signed with another key', body, signatureOf(body, 'sk_of_somebody_else')],
      ['has a signature that is cut', body, good.slice(0, -2)],
      ['has a signature and more', body, `${good}00`],
      ['has a signature of zeros', body, '0'.repeat(128)],
      ['has a signature in Base64', body, Buffer.from(good, 'hex').toString('base64')],
      ['is signed by HMAC-SHA256', body, createHmac('sha256', PAYSTACK_KEY).update(body).digest('hex').repeat(2)],
      ['was written anew', JSON.stringify(JSON.parse(body), null, 1), good],
      ['was cut', body.slice(0, -1), good],
      ['has a byte more', `${body}\n`, good],
      ['says another amount', body.replace('100000', '900000'), good],
      ['is empty', '', good],
    ];
  };

  it('is answered to whatever Paystack did not sign, and nothing is stored', async () => {
    const { id, transfer } = await payout();
    const count = (await messages()).length;
    for (const [what, body, signature] of forged(transferMessage('failed', transfer))) {
      const answer = await tell(server, body, signature);
      expect([what, answer.statusCode, answer.json().errorCode]).toEqual([what, 401, 'INVALID_SIGNATURE']);
    }
    await work();
    expect(await messages()).toHaveLength(count);
    expect(await stateOf(id)).toBe('SENT');
    expect(server.logged).toContain('"event":"hook_refused"');
    expect(server.logged).not.toContain(PAYSTACK_KEY);
  });
});

describe('404', () => {
  it.each(['simulator', 'stripe', '__proto__', 'paystack/x'])(
    'is answered where nobody tells us: /hooks/%s',
    async (name) => {
      expect((await server.call('POST', `/hooks/${name}`, { payload: {} })).statusCode).toBe(404);
    },
  );
});

describe('404 of a provider that is not configured', () => {
  const without = useApp({}, server);

  it('is answered to whatever signature', async () => {
    expect((await tell(without, '{}')).statusCode).toBe(404);
  });
});

describe('405', () => {
  it('is answered to a GET, with what there is', async () => {
    const answer = await server.call('GET', '/hooks/paystack');
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'OPTIONS, POST']);
  });
});

describe('413', () => {
  it('is answered to more than 256 KiB, signed or not', async () => {
    const body = JSON.stringify({ event: 'x', data: { of: 'x'.repeat(257 * 1024) } });
    const answer = await tell(server, body);
    expect([answer.statusCode, answer.json().message]).toEqual([413, 'the body is larger than 256 KiB']);
  });
});
