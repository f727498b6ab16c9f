import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { AMOUNT, askedFunding } from '../../support/approvals.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });

describe('200', () => {
  it('lists requests newest first, by status, operation and who asked, without what is asked for', async () => {
    const ngozi = await newOperator(server, 'finance');
    const first = await askedFunding(server, ngozi);
    const second = await askedFunding(server, server);
    await server.operate('POST', `/approvals/${first.id}/reject`, { reason: 'not theirs' });
    const list = async (query: string) => {
      const { items } = (await server.operate('GET', `/approvals${query}`)).json<{ items: { id: string }[] }>();
      return items.map(({ id }) => id);
    };
    expect(await list('')).toEqual([second.id, first.id]);
    expect(await list('?status=PENDING')).toEqual([second.id]);
    expect(await list(`?requestedBy=${ngozi.id}`)).toEqual([first.id]);
    expect(await list('?requestedBy=root&operation=POST+%2Fpartners%2F%3Aid%2Ffloat')).toEqual([second.id]);
    expect(await list('?operation=POST+%2Fremittances')).toEqual([]);
    const { items } = (await server.operate('GET', '/approvals?status=PENDING')).json();
    expect(items[0]).toEqual({
      id: second.id,
      operation: 'POST /partners/:id/float',
      status: 'PENDING',
      amount: AMOUNT,
      requestedBy: { id: 'root', name: 'root' },
      createdAt: expect.any(String),
      expiresAt: new Date(Date.parse(items[0].createdAt) + 24 * 3_600_000).toISOString(),
    });
  });
});
