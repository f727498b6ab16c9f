import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

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

describe('400', () => {
  it('asks why', async () => {
    expect(refusalOf(await enable(NOBODY, ''))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it('for nobody', async () => {
    expect(refusalOf(await enable(NOBODY))).toEqual([404, 'OPERATOR_NOT_FOUND']);
  });
});

describe('409', () => {
  it('for one who is not disabled', async () => {
    const { id } = await newOperator(server, 'viewer');
    expect(refusalOf(await enable(id))).toEqual([409, 'OPERATOR_STATUS_CONFLICT']);
  });
});
