import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const enable = (id: string, reason = 'back') => server.operate('POST', `/operators/${id}/enable`, { reason });

describe('200', () => {
  it('lets them in again with a new token; the old one stays refused', async () => {
    const { id, operate } = await newOperator(server, 'support');
    await server.operate('POST', `/operators/${id}/disable`, { reason: 'a lost laptop' });
    const answer = await enable(id);
    expect(answer.json()).toMatchObject({ id, status: 'ACTIVE', role: 'support' });
    expect(refusalOf(await operate('GET', '/partners'))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await operateAs(server, answer.json().token)('GET', '/partners')).statusCode).toBe(200);
  });
});
