import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { approve } from '../../support/approvals.ts';
import { auditOf } from '../../support/audit.ts';
import { customerWithId } from '../../support/customers.ts';
import { newOperator } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const ask = (body: object) => server.operate('POST', '/customers/reveal', { reason: 'order 44 of the court', ...body });
const twoCustomers = async () => {
  const partner = await server.newPartner();
  return [await customerWithId(server, partner), await customerWithId(server, partner)] as const;
};

describe('202', () => {
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
});

describe('200', () => {
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
});

describe('404', () => {
  it('one of them is nobody: nobody is asked to approve the others', async () => {
    const [{ id }] = await twoCustomers();
    const asked = await ask({ ids: [id, NOBODY] });
    expect(refusalOf(asked)).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect(asked.json().message).toContain(NOBODY);
  });
});
