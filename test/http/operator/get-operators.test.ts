import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp();

describe('200', () => {
  it('lists operators newest first, with when each was last used, and never a token', async () => {
    const first = await newOperator(server, 'finance');
    const second = await newOperator(server, 'viewer');
    server.clock.advance(3_600_000);
    const now = server.clock.now().getTime();
    await first.operate('GET', '/operators/me');
    const answer = await server.operate('GET', '/operators');
    expect(answer.json()).toMatchObject({
      count: 2,
      items: [{ id: second.id }, { id: first.id, lastUsedAt: expect.any(String) }],
    });
    expect(Date.parse(answer.json().items[1].lastUsedAt)).toBeGreaterThanOrEqual(now);
    expect(answer.json().items[0]).not.toHaveProperty('lastUsedAt');
    expect(answer.body).not.toContain('op_sandbox');
  });

  it('or those of a status', async () => {
    const { id } = await newOperator(server, 'viewer');
    await server.operate('POST', `/operators/${id}/disable`, { reason: 'left' });
    const disabled = await server.operate('GET', '/operators?status=DISABLED');
    expect(disabled.json()).toMatchObject({ count: 1, items: [{ id, status: 'DISABLED' }] });
  });
});
