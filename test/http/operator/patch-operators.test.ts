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
