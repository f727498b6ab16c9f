import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { refusalOf } from '../support/refusals.ts';
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
const open = (key: string) =>
  server.call('POST', '/v2/partner/wallet', {
    headers: { ...partner.headers, 'idempotency-key': key },
    payload: { kyc },
  });
const wallets = async () =>
  (await server.owner.query('select count(*)::int as n from wallets.partner_wallet')).rows[0].n as number;
const fund = (key: string, reference: string) =>
  server.app.inject({
    method: 'POST',
    url: `/operator/v1/partners/${partner.id}/float`,
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
});
