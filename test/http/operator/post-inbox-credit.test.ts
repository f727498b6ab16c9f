import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newWallet } from '../../support/payments.ts';

const server = useApp({ APPROVAL_ABOVE: '99' });
let partner: TestPartner;
let walletReference: string;

beforeAll(async () => {
  partner = await server.newPartner();
  ({ reference: walletReference } = await newWallet(server, partner));
});

const credit = (id: string, given: object = {}) =>
  server.operate('POST', `/inbox/${id}/credit`, { walletReference, reason: 'the sender’s bank says so', ...given });

describe('200', () => {
  const open = useApp();

  it('credits the wallet, once', async () => {
    const id = await unknownPayment(open);
    const owner = await open.newPartner();
    const { reference: wallet } = await newWallet(open, owner);
    const body = { walletReference: wallet, reason: 'the sender’s bank says so' };
    const credited = (await open.operate('POST', `/inbox/${id}/credit`, body)).json();
    expect(credited).toMatchObject({ id, state: 'BOOKED', transactionId: expect.any(Number) });
    const now = await open.call('GET', `/v2/partner/wallet/${wallet}`, { headers: owner.headers });
    expect(now.json().Wallet.TotalAmount).toBe(100);
    expect((await open.operate('GET', '/ledger/check')).json().ok).toBe(true);
    const audited = (await open.operate('GET', `/audit?target=${id}`)).json();
    expect(audited.items[0]).toMatchObject({ action: 'inbox.credit', after: { wallet, amount: '10000' } });
  });
});

describe('202', () => {
  it('waits for another operator above APPROVAL_ABOVE', async () => {
    expect((await credit(await unknownPayment(server))).statusCode).toBe(202);
  });
});

describe('400', () => {
  it('without a reason', async () => {
    expect((await credit(await unknownPayment(server), { reason: '' })).statusCode).toBe(400);
  });
});

describe('404', () => {
  it('a message that there is not', async () => {
    expect((await credit('00000000-0000-7000-8000-000000000000')).json().errorCode).toBe('MESSAGE_NOT_FOUND');
  });
});

describe('409', () => {
  it('one that is no payment to an unknown account', async () => {
    const id = await unknownPayment(server);
    await server.operate('POST', `/inbox/${id}/retry`);
    const answer = await credit(id);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'MESSAGE_BOOKED']);
  });
});
