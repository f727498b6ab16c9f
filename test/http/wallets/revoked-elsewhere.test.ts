import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { eventually } from '../../support/eventually.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
/** A second process of the installation, which remembers the accounts of wallets as the first does. */
const other = useApp({}, server);

/** A wallet without money whose accounts the second process remembers. */
async function remembered() {
  const partner = await server.newPartner({ float: 100 });
  const wallet = await kycWallet(server, partner);
  const move = (kind: 'credit' | 'debit', reference: string) =>
    moveMoney(other, partner, wallet, kind, { amount: 1, reference });
  expect((await move('credit', 'in')).statusCode).toBe(200);
  expect((await move('debit', 'out')).statusCode).toBe(200);
  const revoke = () => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'a test asks for it' });
  return { move, revoke, key: `${partner.id}/${wallet}` };
}

it('a process is told of a wallet that another one revoked, and knows it no more', async () => {
  const { move, revoke, key } = await remembered();
  const known = () => other.resources.movementAccounts.get(key, () => true);
  expect(await known()).toMatchObject({ currency: 'NGN' });
  await revoke();
  await eventually(async () => expect(await known()).toBeUndefined());
  expect((await move('credit', 'late')).statusCode).toBe(404);
});

it('a process that was not told is refused by the ledger, and looks again', async () => {
  const { move, revoke } = await remembered();
  await server.owner.query('alter table wallets.partner_wallet disable trigger notify_revoked');
  await revoke();
  await server.owner.query('alter table wallets.partner_wallet enable trigger notify_revoked');
  for (const [reference, refusal] of [
    ['late', [422, 'WALLET_BLOCKED']],
    ['later', [404, 'WALLET_NOT_FOUND']],
    ['late', [422, 'WALLET_BLOCKED']], // as before
    ['out', [200, undefined]],
  ] as const) {
    const answer = await move(reference === 'out' ? 'debit' : 'credit', reference);
    expect([reference, answer.statusCode, answer.json().errorCode]).toEqual([reference, ...refusal]);
  }
  expect(await brokenInvariants(server)).toEqual([]);
});
