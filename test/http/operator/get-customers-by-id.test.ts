import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { customerIdOf } from '../../support/customers.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';

const server = useSharedApp();

describe('200', () => {
  it('a customer with their wallets and where they are logged in, masked', async () => {
    const [first, second] = [await server.newPartner({ float: 10 }), await server.newPartner()];
    const ada = await loggedIn(server, first, 10);
    const there = await logInAt(server, second, ada);
    const id = await customerIdOf(server, ada.paytag);
    const answer = await server.operate('GET', `/customers/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { wallets, sessions } = answer.json();
    expect(wallets).toMatchObject([
      { reference: there.wallet, partnerId: second.id, totalAmount: 0, isPrimary: false },
      { reference: ada.wallet, partnerId: first.id, totalAmount: 10, isPrimary: true },
    ]);
    expect(sessions.map((one: { partnerId: string }) => one.partnerId).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
    for (const secret of [ada.bvn, ada.phone, ada.email, ada.dateOfBirth]) expect(answer.body).not.toContain(secret);
  });
});
