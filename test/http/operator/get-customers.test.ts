import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { actOn, customerWithId } from '../../support/customers.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp();

describe('200', () => {
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
