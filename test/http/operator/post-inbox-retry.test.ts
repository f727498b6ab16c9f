import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newWallet } from '../../support/payments.ts';

const server = useApp();
const retry = (id: string) => server.operate('POST', `/inbox/${id}/retry`, { reason: 'the account is known now' });

describe('200', () => {
  it('has it tried again at once, from the first interval on', async () => {
    const id = await unknownPayment(server);
    expect((await retry(id)).json()).toMatchObject({ id, state: 'RECEIVED', attempts: 0 });
  });
});

describe('400', () => {
  it('an id that is none', async () => {
    expect((await retry('message')).statusCode).toBe(400);
  });
});

describe('404', () => {
  it('a message that there is not', async () => {
    expect((await retry('00000000-0000-7000-8000-000000000000')).json().errorCode).toBe('MESSAGE_NOT_FOUND');
  });
});

describe('409', () => {
  it('one that is in the books', async () => {
    const id = await unknownPayment(server);
    const { reference: walletReference } = await newWallet(server, await server.newPartner());
    await server.operate('POST', `/inbox/${id}/credit`, { walletReference, reason: 'theirs' });
    const answer = await retry(id);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'MESSAGE_BOOKED']);
  });

  it('one of which nothing is kept any more', async () => {
    const id = await unknownPayment(server);
    await server.owner.query('update inbox.message set body_sealed = null where id = $1', [id]);
    expect((await retry(id)).statusCode).toBe(409);
  });
});
