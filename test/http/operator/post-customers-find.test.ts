import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { customerWithId, findCustomers } from '../../support/customers.ts';
import { newCustomer } from '../../support/onboarding.ts';

const server = useSharedApp();

describe('200', () => {
  it('a customer is found by PayTag, account number, phone or BVN, and what could harm them is masked', async () => {
    const partner = await server.newPartner();
    const { person, id } = await customerWithId(server, partner);
    await newCustomer(server, partner);
    const { wallets } = (await server.operate('GET', `/customers/${id}`)).json();
    const keys = [
      { paytag: `@${person.paytag.toUpperCase()}` },
      { nuban: wallets[0].nuban },
      { phone: person.phone.replace('+234', '0') },
      { bvn: person.bvn },
    ];
    for (const key of keys) {
      const answer = await findCustomers(server, key);
      expect(answer.statusCode).toBe(200);
      expect(answer.json().items).toMatchObject([
        {
          id,
          paytag: person.paytag,
          paytagStatus: 'ACTIVE',
          name: 'Ada Obi',
          status: 'ACTIVE',
          bvn: `*******${person.bvn.slice(-4)}`,
          email: 'a***@example.com',
          yearOfBirth: 1990,
          hasAddress: false,
          hasPassword: true,
        },
      ]);
      for (const secret of [person.bvn, person.phone, person.email, person.dateOfBirth]) {
        expect(answer.body).not.toContain(secret);
      }
    }
  });

  it('nobody is an empty list', async () => {
    for (const key of [
      { paytag: 'nobody' },
      { nuban: '0000000000' },
      { phone: '08099999999' },
      { bvn: '99999999999' },
    ]) {
      expect((await findCustomers(server, key)).json()).toEqual({ items: [] });
    }
  });
});

it('nothing that was searched for stands in the log', async () => {
  const { person } = await customerWithId(server, await server.newPartner());
  await findCustomers(server, { bvn: person.bvn });
  await findCustomers(server, { phone: person.phone });
  expect(server.logged).toContain('/customers/find');
  for (const secret of [person.bvn, person.phone]) expect(server.logged).not.toContain(secret);
});
