import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

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

describe('400', () => {
  it('asks why', async () => {
    expect(refusalOf(await disable((await newOperator(server, 'viewer')).id, ''))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('for nobody', async () => {
    expect(refusalOf(await disable(NOBODY))).toEqual([404, 'OPERATOR_NOT_FOUND']);
  });
});

describe('409', () => {
  it('for one who is, and for oneself', async () => {
    const admin = await newOperator(server, 'admin');
    const own = await admin.operate('POST', `/operators/${admin.id}/disable`, { reason: 'tired' });
    expect(refusalOf(own)).toEqual([409, 'OPERATOR_STATUS_CONFLICT']);
    await disable(admin.id);
    expect(refusalOf(await disable(admin.id))).toEqual([409, 'OPERATOR_STATUS_CONFLICT']);
  });
});
