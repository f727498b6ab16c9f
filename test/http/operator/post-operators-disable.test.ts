import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();
const other = useApp({}, server);
const disable = (id: string, reason = 'left') => server.operate('POST', `/operators/${id}/disable`, { reason });

describe('200', () => {
  it('every process refuses them from the next call on', async () => {
    const { id, token } = await newOperator(server, 'admin');
    const calls = [server, other].map((process) => () => operateAs(process, token)('GET', '/partners'));
    for (const call of calls) expect((await call()).statusCode).toBe(200);
    expect((await disable(id)).json()).toMatchObject({ id, status: 'DISABLED' });
    for (const call of calls) expect(refusalOf(await call())).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});
