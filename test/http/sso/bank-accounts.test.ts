import { beforeEach, describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../../support/app.ts';
import { PROVIDER_TIMEOUT_MS, paystack, useStandIn } from '../../support/provider.ts';
import type { Answer } from '../../support/receiver.ts';
import { refusalOf } from '../../support/refusals.ts';
import { type LoggedIn, loggedIn, logInAt } from '../../support/wallets.ts';

const server = useSharedApp();

describe('GET /sso/wallet/bank-account', () => {
  const path = '/v2/sso/wallet/bank-account';

  it('is the account that was linked, as linking it answered', async () => {
    const { headers } = await loggedIn(server, await server.newPartner());
    const payload = { accountNumber: '0123456789', bankCode: '057' };
    const linked = await server.call('POST', path, { headers, payload });
    expect(linked.json()).toMatchObject({ bankName: 'Zenith Bank' });
    const read = await server.call('GET', path, { headers });
    expect(read.statusCode).toBe(200);
    expect(read.headers['cache-control']).toBe('no-store');
    expect(read.json()).toEqual(linked.json());
  });
});

describe('POST /sso/wallet/bank-account', () => {
  const bank = useStandIn();
  const { receiver } = bank;
  const alone = useApp({
    BANK_PROVIDER: 'paystack',
    BANK_PAYSTACK_SECRET_KEY: 'sk_live_not_to_be_seen',
    BANK_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    get BANK_PAYSTACK_URL() {
      return bank.origin;
    },
  });
  const sandbox = useApp();

  const account = { accountNumber: '0123456789', bankCode: '058' };
  const link = async ({ headers }: Pick<LoggedIn, 'headers'>, payload: object = account, on = alone) =>
    on.call('POST', '/v2/sso/wallet/bank-account', { headers, payload });
  const enquiries = () => receiver.requests.filter(({ path }) => path.startsWith('/bank/resolve'));
  /** Every account is answered so. */
  const answer = (reply: Answer) =>
    receiver.answer(({ path }) =>
      path.startsWith('/bank/resolve')
        ? reply
        : paystack.banks({ '058': 'Guaranty Trust Bank', '035A': 'ALAT by WEMA', '044': 'Access Bank' }),
    );
  const newLoggedIn = async (on = alone) => loggedIn(on, await on.newPartner());

  beforeEach(() => {
    receiver.reset();
    answer(paystack.resolved('OBI ADA NGOZI'));
  });

  it('links the account that is in her name, as her bank writes it', async () => {
    const ada = await newLoggedIn();
    const before = alone.clock.now().getTime();
    const answered = await link(ada);
    expect(answered.statusCode).toBe(200);
    expect(answered.headers['cache-control']).toBe('no-store');
    const { linkedAt, ...rest } = answered.json();
    expect(rest).toEqual({ ...account, bankName: 'Guaranty Trust Bank', accountName: 'OBI ADA NGOZI' });
    expect(Date.parse(linkedAt)).toBeGreaterThanOrEqual(before - 1);
  });

  it('for the same account again is the same answer, with the moment of the first, and no bank is asked', async () => {
    const ada = await newLoggedIn();
    const first = (await link(ada)).json();
    alone.clock.advance(60_000);
    answer(503);
    expect((await link(ada)).json()).toEqual(first);
    expect(enquiries()).toHaveLength(1);
  });

  it('for the same account at the same time keeps one moment', async () => {
    const ada = await newLoggedIn();
    const answers = await Promise.all(Array.from({ length: 5 }, () => link(ada)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const kept = (await link(ada)).json();
    expect(answers.map((each) => each.json().linkedAt)).toContain(kept.linkedAt);
  });

  it('for another account puts it in the place of the first', async () => {
    const ada = await newLoggedIn();
    const first = (await link(ada)).json();
    alone.clock.advance(60_000);
    const other = { accountNumber: '9876543210', bankCode: '035A' };
    const second = (await link(ada, other)).json();
    expect(second).toMatchObject({ ...other, bankName: 'ALAT by WEMA' });
    expect(second.linkedAt > first.linkedAt).toBe(true);
    alone.clock.advance(60_000);
    expect((await link(ada)).json().linkedAt > second.linkedAt).toBe(true);
  });

  it('at one partner links nothing at another', async () => {
    const [here, there] = [await alone.newPartner(), await alone.newPartner()];
    const ada = await loggedIn(alone, here);
    await link(ada);
    const adaThere = await logInAt(alone, there, ada);
    const answered = await alone.call('GET', '/v2/sso/wallet/bank-account', { headers: adaThere.headers });
    expect(answered.statusCode).toBe(409);
    expect((await link(adaThere)).statusCode).toBe(200);
    expect(enquiries()).toHaveLength(2);
  });

  it('keeps number and name of the account so that the database gives neither away', async () => {
    const ada = await newLoggedIn();
    await link(ada, { ...account, accountNumber: '0246813579' });
    const { rows } = await alone.owner.query('select a::text as row from bank_accounts.linked_account a');
    const stored = JSON.stringify(rows);
    expect(stored).toContain('Guaranty Trust Bank');
    for (const secret of ['0246813579', 'OBI ADA NGOZI']) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(alone.logged).not.toMatch(/0246813579|not_to_be_seen|NGOZI/);
  });

  it('comes in the sandbox without any bank: every account is hers but those that end in 1', async () => {
    const ada = await newLoggedIn(sandbox);
    expect((await link(ada, account, sandbox)).json()).toMatchObject({
      ...account,
      bankName: 'Guaranty Trust Bank',
      accountName: 'OBI ADA',
    });
    expect(refusalOf(await link(ada, { ...account, accountNumber: '0123456781' }, sandbox))).toEqual([
      400,
      'BANK_ACCOUNT_NOT_FOUND',
    ]);
  });

  it.each([
    ['the bank does not know the account', account],
    ['nobody knows the bank', { ...account, bankCode: '999' }],
  ])('400: BANK_ACCOUNT_NOT_FOUND when %s', async (_, payload) => {
    answer(paystack.unresolved);
    expect(refusalOf(await link(await newLoggedIn(), payload))).toEqual([400, 'BANK_ACCOUNT_NOT_FOUND']);
  });

  it('400: ACCOUNT_NAME_MISMATCH when it is somebody else’s, whose name is not told; what was linked stays', async () => {
    const ada = await newLoggedIn();
    const linked = (await link(ada)).json();
    answer(paystack.resolved('BALOGUN SIKIRU'));
    const answered = await link(ada, { ...account, accountNumber: '0000000009' });
    expect(refusalOf(answered)).toEqual([400, 'ACCOUNT_NAME_MISMATCH']);
    expect(answered.body).not.toMatch(/balogun|sikiru/i);
    expect((await link(ada)).json()).toEqual(linked);
  });

  it('429: is for who tries account numbers out: the 31st in an hour', async () => {
    const ada = await newLoggedIn();
    answer(paystack.unresolved);
    for (let tried = 0; tried < 30; tried += 1) {
      await link(ada, { ...account, accountNumber: String(2_000_000_000 + tried) });
    }
    const answered = await link(ada);
    expect(answered.statusCode).toBe(429);
    expect(Number(answered.headers['retry-after'])).toBeGreaterThan(0);
    expect(enquiries()).toHaveLength(30);
    expect((await link(await newLoggedIn(), account)).statusCode).toBe(400);
  });

  it.each([
    ['refuses our key', 401],
    ['has enough of us', 429],
    ['fails', 500],
    ['breaks the connection', 'drop'],
  ] as [string, Answer][])('502: when the bank %s; the same request works later', async (_, how) => {
    const ada = await newLoggedIn();
    answer(how);
    const down = await link(ada);
    expect(down.statusCode).toBe(502);
    expect(down.headers['retry-after']).toBe('5');
    expect(down.json()).toMatchObject({ errorCode: 'BANK_PROVIDER_UNAVAILABLE' });
    answer(paystack.resolved('OBI ADA'));
    expect((await link(ada)).statusCode).toBe(200);
  });

  it('502: when the bank says nothing, which holds no connection of the database meanwhile', async () => {
    const ada = await newLoggedIn();
    answer('hang');
    const waiting = link(ada);
    await receiver.waitFor(({ path }) => path.startsWith('/bank/resolve'));
    const { pool } = alone.resources;
    expect(pool.idleCount).toBe(pool.totalCount);
    expect((await waiting).statusCode).toBe(502);
  });
});
