import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestPartner, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newCustomer } from '../support/onboarding.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { refusalOf } from '../support/refusals.ts';
import {
  decide,
  initiate,
  newSide,
  offer,
  type Side,
  see,
  type TransactionOut,
  walletTotals,
} from '../support/switch.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const database = useDatabase();
let proxy: TcpProxy;
beforeAll(async () => {
  proxy = await startTcpProxy(database.url);
});
const server = useApp(() => ({ DATABASE_URL: proxy.url }), database);
let partner: TestPartner;
beforeAll(async () => {
  partner = await server.newPartner();
});
afterAll(() => proxy.close());

const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
const open = (key: string, payload: object = { kyc }) =>
  server.call('POST', '/v2/partner/wallet', {
    headers: { ...partner.headers, 'idempotency-key': key },
    payload,
  });
const wallets = async () =>
  (await server.owner.query('select count(*)::int as n from wallets.partner_wallet')).rows[0].n as number;
const fund = (key: string, reference: string) =>
  server.call('POST', `/operator/v1/partners/${partner.id}/float`, {
    headers: { ...operator, 'idempotency-key': key },
    payload: { amount: 1, reference },
  });
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const posted = async () =>
  Number(
    (await server.owner.query(`select posted from ledger.account where kind = 'FLOAT' and currency = 'NGN'`)).rows[0]
      .posted,
  );

describe('when the connection is lost during commit, what is sent again under its Idempotency-Key', () => {
  it('is not done a second time where it was committed: 409 says so', async () => {
    const [key, before] = [randomUUID(), await wallets()];
    proxy.loseAnswers(1, 'COMMIT');
    expect(refusalOf(await open(key))).toEqual([503, 'STORE_UNAVAILABLE']);
    await eventually(async () => expect(refusalOf(await open(key))).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST']));
    expect(refusalOf(await open(key))).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST']);
    expect(await wallets()).toBe(before + 1);
  });

  it('is not done a second time where its body has a reference that nobody asks for', async () => {
    const [key, before] = [randomUUID(), await wallets()];
    proxy.loseAnswers(1, 'COMMIT');
    const ask = () => open(key, { kyc, reference: 'my-own-1' });
    expect(refusalOf(await ask())).toEqual([503, 'STORE_UNAVAILABLE']);
    await eventually(async () => expect(refusalOf(await ask())).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST']));
    expect(await wallets()).toBe(before + 1);
  });

  it('is done where it was not committed', async () => {
    const [key, before] = [randomUUID(), await wallets()];
    proxy.loseRequests(1, 'commit\0');
    expect(refusalOf(await open(key))).toEqual([503, 'STORE_UNAVAILABLE']);
    await eventually(async () => expect((await open(key)).statusCode).toBe(200));
    expect((await open(key)).headers['idempotency-replayed']).toBe('true');
    expect(await wallets()).toBe(before + 1);
  });

  it('is answered as the first was where it has a reference of its own, by which it is done once', async () => {
    const [key, before] = [randomUUID(), await posted()];
    proxy.loseAnswers(1, 'COMMIT');
    expect((await fund(key, 'top-up')).statusCode).toBe(503);
    await eventually(async () => expect((await fund(key, 'top-up')).statusCode).toBe(200));
    expect((await posted()) - before).toBe(100);
  });

  describe('of a transaction between tags', () => {
    let [acme, market]: Side[] = [];
    beforeAll(async () => {
      [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
    });
    const sides = () => {
      if (acme === undefined || market === undefined) throw new Error('there are no sides yet');
      return { acme, market };
    };
    const under = (side: Side): Side => {
      const headers = { ...side.headers, 'idempotency-key': randomUUID() };
      return { ...side, headers };
    };
    const isLost = async (ask: () => Promise<Answer>) => {
      proxy.loseAnswers(1, 'COMMIT');
      expect(refusalOf(await ask())).toEqual([503, 'STORE_UNAVAILABLE']);
      await eventually(async () => expect(refusalOf(await ask())).toEqual([409, 'IDEMPOTENCY_ANSWER_LOST']));
    };

    it.each(['tag', 'PayTag'])('without a reference to a %s moves or holds its money once', async (kind) => {
      const from = under(sides().acme);
      const receiverTag = kind === 'tag' ? sides().market.tag : (await newCustomer(server, partner)).paytag;
      const { total, held } = await walletTotals(server, from);
      await isLost(() => initiate(server, from, { receiverTag }));
      const after = await walletTotals(server, from);
      const spent = total - held - (after.total - after.held);
      expect(spent).toBeGreaterThanOrEqual(10_000);
      expect(spent).toBeLessThan(20_000);
    });

    it.each(['accept', 'reject', 'cancel'] as const)('%s is done once, and says so', async (verb) => {
      const { id } = await offer(server, sides().acme, sides().market);
      const side = under(verb === 'cancel' ? sides().acme : sides().market);
      await isLost(() => decide(server, side, id, verb));
      const { status } = (await see(server, side, id)).json<{ data: TransactionOut }>().data;
      expect(status).toBe({ accept: 'ACCEPTED', reject: 'REJECTED', cancel: 'CANCELLED' }[verb]);
    });
  });
});
