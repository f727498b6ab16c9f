import { describe, expect, it } from 'vitest';
import { bookInbox, receiveAndBook } from '#modules/inbox';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { unknownCharge, unknownPayment } from '../../support/inbound.ts';
import { newReference, newWallet } from '../../support/payments.ts';
import { forget } from '../../support/retention.ts';

const server = useApp();
const REASON = { reason: 'the bank has sent it back' };
const dismiss = (id: string) => server.operate('POST', `/inbox/${id}/dismiss`, REASON);
const shown = async (id: string) => (await server.operate('GET', `/inbox/${id}`)).json();
const credit = async (id: string) => {
  const { reference: walletReference } = await newWallet(server, await server.newPartner());
  return server.operate('POST', `/inbox/${id}/credit`, { walletReference, ...REASON });
};

describe('200', () => {
  it('closes it, once, and says in the audit log who did and why', async () => {
    const id = await unknownPayment(server);
    expect((await dismiss(id)).json()).toMatchObject({ id, state: 'DISMISSED', difference: 'ACCOUNT_UNKNOWN' });
    expect((await dismiss(id)).statusCode).toBe(200);
    expect(await auditOf(server, id)).toMatchObject([{ action: 'inbox.dismiss', ...REASON }]);
    server.clock.advance(3_600_000);
    await bookInbox(server.resources);
    expect(await shown(id)).toMatchObject({ state: 'DISMISSED', attempts: 1 });
  });

  it('what a comparison finds again stays closed, also when its body is forgotten', async () => {
    const reference = newReference();
    const id = await unknownPayment(server, reference);
    await dismiss(id);
    const told = { provider: 'simulator', origin: 'COMPARISON', body: unknownCharge(reference) } as const;
    await receiveAndBook(server.resources, told);
    expect(await shown(id)).toMatchObject({ state: 'DISMISSED', senderName: 'Randall Horton' });
    await forget(server.resources, 'inbox.message', new Date(server.clock.now().getTime() + 91 * 24 * 60 * 60 * 1000));
    expect(await shown(id)).not.toHaveProperty('senderName');
    expect(await receiveAndBook(server.resources, told)).toMatchObject({ state: 'DIFFERENT' });
    expect(await shown(id)).toMatchObject({ state: 'DISMISSED' });
  });

  it('what was closed is opened again by another attempt, and then may be credited', async () => {
    const id = await unknownPayment(server);
    await dismiss(id);
    expect((await credit(id)).statusCode).toBe(409);
    expect((await server.operate('POST', `/inbox/${id}/retry`, REASON)).json()).toMatchObject({ state: 'RECEIVED' });
    await bookInbox(server.resources);
    expect((await credit(id)).json()).toMatchObject({ state: 'BOOKED' });
    expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
  });
});
