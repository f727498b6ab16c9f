import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { decideDispute, newDispute } from '../../support/disputes.ts';

const server = useApp();
const list = async (query: string) => (await server.operate('GET', `/disputes?${query}`)).json();
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

describe('200', () => {
  it('disputes, newest first, of a partner, a state or a time, as JSON and as CSV', async () => {
    const [one, other] = [await newDispute(server), await newDispute(server)];
    await decideDispute(server, other.id, 'WON');
    expect(idsOf(await list(''))).toEqual([other.id, one.id]);
    expect(idsOf(await list('limit=1'))).toEqual([other.id]);
    expect(idsOf(await list(`partnerId=${one.partner.id}`))).toEqual([one.id]);
    const { transactionId } = (await server.operate('GET', `/disputes/${one.id}`)).json();
    expect(idsOf(await list(`transactionId=${transactionId}`))).toEqual([one.id]);
    expect(idsOf(await list('state=OPEN'))).toEqual([one.id]);
    expect(idsOf(await list('state=EXPIRED'))).toEqual([]);
    expect(idsOf(await list('to=2026-01-01T00:00:00Z'))).toEqual([]);
    const file = await server.operate('GET', '/disputes?state=WON&format=csv');
    expect(file.body.split('\r\n')).toHaveLength(3);
    expect(file.body).toContain(other.id);
  });
});
