import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp();

describe('200', () => {
  it('lists what providers told us, newest first, filtered, also as a file', async () => {
    const [first, second] = [await unknownPayment(server), await unknownPayment(server)];
    const all = (await server.operate('GET', '/inbox')).json();
    expect(all).toMatchObject({ items: [{ id: second }, { id: first }], count: 2, limit: 20, offset: 0 });
    const { reference } = all.items[1];
    const one = (await server.operate('GET', `/inbox?reference=${reference}&state=DIFFERENT&kind=CHARGE`)).json();
    expect(one).toMatchObject({ items: [{ id: first, difference: 'ACCOUNT_UNKNOWN' }], count: 1 });
    for (const none of ['state=BOOKED', 'provider=paystack', 'kind=TRANSFER', 'to=2020-01-01T00:00:00Z']) {
      expect((await server.operate('GET', `/inbox?${none}`)).json().items).toEqual([]);
    }
    const file = await server.operate('GET', '/inbox?format=csv');
    expect([file.headers['content-type'], file.body.split('\r\n').length]).toEqual(['text/csv; charset=utf-8', 4]);
  });

  it('hides from a viewer who sent money, and to which account', async () => {
    const id = await unknownPayment(server);
    const { token } = await newOperator(server, 'viewer');
    const url = `/operator/v1/inbox/${id}`;
    const seen = (await server.call('GET', url, { headers: { authorization: `Bearer ${token}` } })).body;
    expect(seen).not.toMatch(/Randall|Horton|9000000000/);
  });
});
