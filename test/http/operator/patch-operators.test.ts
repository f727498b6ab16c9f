import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const change = (id: string, body: object) => server.operate('PATCH', `/operators/${id}`, { reason: 'moved', ...body });

describe('200', () => {
  it('the role holds from the next call on', async () => {
    const { id, operate } = await newOperator(server, 'viewer');
    const suspend = () => operate('POST', `/partners/${NOBODY}/suspend`, { reason: 'fraud' });
    expect(refusalOf(await suspend())).toEqual([403, 'ROLE_REFUSED']);
    expect((await change(id, { role: 'support' })).json()).toMatchObject({ id, role: 'support' });
    expect(refusalOf(await suspend())).toEqual([404, 'PARTNER_NOT_FOUND']);
    await change(id, { role: 'viewer' });
    expect(refusalOf(await suspend())).toEqual([403, 'ROLE_REFUSED']);
  });
});

describe('400', () => {
  it.each([{}, { role: 'root' }, { role: 'admin', reason: '' }])('%j', async (body) => {
    const { id } = await newOperator(server, 'viewer');
    expect(refusalOf(await change(id, body))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('for nobody', async () => {
    expect(refusalOf(await change(NOBODY, { role: 'viewer' }))).toEqual([404, 'OPERATOR_NOT_FOUND']);
  });
});

describe('409', () => {
  it('for the role they have, and for oneself', async () => {
    const admin = await newOperator(server, 'admin');
    expect(refusalOf(await change(admin.id, { role: 'admin' }))).toEqual([409, 'OPERATOR_STATUS_CONFLICT']);
    const own = await admin.operate('PATCH', `/operators/${admin.id}`, { role: 'viewer', reason: 'tired' });
    expect(refusalOf(own)).toEqual([409, 'OPERATOR_STATUS_CONFLICT']);
  });
});
