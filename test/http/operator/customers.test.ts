import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { actOn, customerIdOf, customerWithId, findCustomers, paytagBody } from '../../support/customers.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { approve, auditOf, newOperator } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';

const server = useApp();

describe('GET /customers/{id}', () => {
  it('customers, masked, newest first, page by page, and those that are frozen or were erased', async () => {
    const partner = await server.newPartner();
    const [first, second, third] = [
      await customerWithId(server, partner),
      await customerWithId(server, partner),
      await customerWithId(server, partner),
    ];
    await actOn(server, second.id, 'freeze', { reason: 'a test' });
    const { operate } = await newOperator(server, 'viewer');
    const list = async (query: string) => (await operate('GET', `/customers?${query}`)).json();
    const ids = async (query: string) => (await list(query)).items.map(({ id }: { id: string }) => id);
    const page = await list('limit=2');
    expect([page.count, page.items.length]).toEqual([3, 2]);
    expect([await ids('limit=2'), await ids(`cursor=${page.nextCursor}`)]).toEqual([[third.id, second.id], [first.id]]);
    expect([await ids('status=FROZEN'), await ids('status=ACTIVE'), await ids('status=ERASED')]).toEqual([
      [second.id],
      [third.id, first.id],
      [],
    ]);
    for (const { person } of [first, second, third]) {
      for (const known of [person.bvn, person.phone, person.email, person.lastName]) {
        expect(JSON.stringify(page)).not.toContain(known);
      }
    }
    const found = (await server.operate('GET', '/customers?limit=1')).json().items[0];
    expect((await server.operate('GET', `/customers/${third.id}`)).json()).toMatchObject(found);
  });
});

describe('GET /customers/{id}', () => {
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

describe('POST /customers/find', () => {
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

  it('nothing that was searched for stands in the log', async () => {
    const { person } = await customerWithId(server, await server.newPartner());
    await findCustomers(server, { bvn: person.bvn });
    await findCustomers(server, { phone: person.phone });
    expect(server.logged).toContain('/customers/find');
    for (const secret of [person.bvn, person.phone]) expect(server.logged).not.toContain(secret);
  });
});

describe('POST /customers/{id}/reveal', () => {
  it('what is masked elsewhere in the clear, and the audit log says which fields, not what they hold', async () => {
    const { headers } = await server.newPartner();
    const body = paytagBody({ address: '7 Allen Avenue, Ikeja' });
    await server.call('POST', '/v2/partner/paytag', { headers, payload: body });
    const id = await customerIdOf(server, body.tag);
    const answer = await actOn(server, id, 'reveal');
    expect(answer.statusCode).toBe(200);
    const phone = `+234${body.phone.slice(1)}`;
    const { bvn, email, dateOfBirth, address } = body;
    expect(answer.json()).toEqual({ id, bvn, phone, email, dateOfBirth, address });
    const entries = await auditOf(server, id);
    expect(entries).toMatchObject([
      {
        action: 'customer.reveal',
        reason: 'a test asks for it',
        after: { fields: ['bvn', 'phone', 'email', 'dateOfBirth', 'address'] },
      },
    ]);
    for (const secret of [bvn, phone, email, dateOfBirth, address]) {
      expect(JSON.stringify(entries)).not.toContain(secret);
      expect(server.logged).not.toContain(secret);
    }
  });

  it('the fields that are asked for, and of these what is on record', async () => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    const answer = await actOn(server, id, 'reveal', { fields: ['phone', 'address'] });
    expect(answer.json()).toEqual({ id, phone: person.phone });
  });
});

describe('POST /customers/{id}/reveal', () => {
  const ask = (body: object) =>
    server.operate('POST', '/customers/reveal', { reason: 'order 44 of the court', ...body });
  const twoCustomers = async () => {
    const partner = await server.newPartner();
    return [await customerWithId(server, partner), await customerWithId(server, partner)] as const;
  };

  it('nothing is shown before another operator of the role has approved it', async () => {
    const [ada, bola] = await twoCustomers();
    const asked = await ask({ ids: [ada.id, bola.id] });
    expect([asked.statusCode, asked.json().status]).toEqual([202, 'PENDING']);
    for (const { person } of [ada, bola]) expect(asked.body).not.toContain(person.phone);
    expect(refusalOf(await approve(server, asked.json().id))).toEqual([403, 'APPROVAL_OWN']);
    const viewer = await newOperator(server, 'viewer');
    expect(refusalOf(await approve(viewer, asked.json().id))).toEqual([403, 'ROLE_REFUSED']);
    for (const { id } of [ada, bola]) expect(await auditOf(server, id)).toEqual([]);
  });

  it('once approved: each customer once, what was asked for, with an audit entry for each that names both operators', async () => {
    const [ada, bola] = await twoCustomers();
    const asked = await ask({ ids: [ada.id, bola.id, ada.id], fields: ['phone', 'address'] });
    const support = await newOperator(server, 'support');
    const approved = await approve(support, asked.json().id);
    const items = [ada, bola].map(({ id, person }) => ({ id, phone: person.phone }));
    expect([approved.statusCode, approved.json().answer]).toEqual([200, { items }]);
    expect((await server.operate('GET', `/approvals/${asked.json().id}`)).json().answer).toEqual({ items });
    const other = await newOperator(server, 'admin');
    expect((await other.operate('GET', `/approvals/${asked.json().id}`)).json().answer).toBeUndefined();
    for (const { id, person } of [ada, bola]) {
      const entries = await auditOf(server, id);
      expect(entries).toMatchObject([
        {
          actor: `operator:root, approved by ${support.actor}`,
          action: 'customer.reveal',
          after: { fields: ['phone', 'address'] },
          reason: 'order 44 of the court',
        },
      ]);
      expect(JSON.stringify(entries)).not.toContain(person.phone);
      expect(server.logged).not.toContain(person.phone);
    }
  });

  it('404: one of them is nobody: nobody is asked to approve the others', async () => {
    const [{ id }] = await twoCustomers();
    const asked = await ask({ ids: [id, NOBODY] });
    expect(refusalOf(asked)).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect(asked.json().message).toContain(NOBODY);
  });
});

describe('POST /customers/{id}/correct', () => {
  it('what partners, payers and the operator are shown follows, and the audit log says which fields alone', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    const id = await customerIdOf(server, ada.paytag);
    const right = {
      firstName: 'Adaeze',
      lastName: 'Obi-Eze',
      otherName: 'Ngozi',
      dateOfBirth: '18-05-1991',
      address: '7 Allen Avenue',
    };
    const answer = await actOn(server, id, 'correct', right);
    expect(answer.json()).toMatchObject({ name: 'Adaeze Ngozi Obi-Eze', yearOfBirth: 1991, hasAddress: true });
    const seen = await server.call('GET', `/v2/partner/wallet/${ada.wallet}`, { headers: partner.headers });
    expect(seen.json()).toMatchObject({ PayTag: { Name: 'Adaeze Ngozi Obi-Eze' } });
    const { data } = (await server.call('GET', `/api/v1/tags/${ada.paytag}`)).json();
    expect(JSON.stringify(data)).toContain('Adaeze Ngozi Obi-Eze');
    const revealed = (await actOn(server, id, 'reveal')).json();
    expect(revealed).toMatchObject({ dateOfBirth: '1991-05-18', address: '7 Allen Avenue', phone: ada.phone });
    const entries = await auditOf(server, id);
    expect(entries[0]).toMatchObject({ action: 'customer.correct', after: { fields: Object.keys(right) } });
    for (const value of ['Adaeze', 'Obi', '1991', 'Allen']) expect(JSON.stringify(entries[0])).not.toContain(value);
  });

  it('what is left out stays', async () => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    const answer = await actOn(server, id, 'correct', { lastName: 'Eze' });
    expect(answer.json()).toMatchObject({ name: 'Ada Eze', yearOfBirth: 1990, paytag: person.paytag });
  });
});
