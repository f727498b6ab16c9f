import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('200', () => {
  it('gives a token that is good from now on, instead of the one before', async () => {
    const { id, operate } = await newOperator(server, 'support');
    server.clock.advance(3_600_000);
    const answer = await server.operate('POST', `/operators/${id}/rotate`);
    expect(answer.json()).toMatchObject({ id, token: expect.stringMatching(/^op_sandbox_/) });
    const { updatedAt, expiresAt } = answer.json<Record<'updatedAt' | 'expiresAt', string>>();
    expect(Date.parse(expiresAt) - Date.parse(updatedAt)).toBe(90 * 24 * 3_600_000);
    expect(refusalOf(await operate('GET', '/partners'))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await operateAs(server, answer.json().token)('GET', '/partners')).statusCode).toBe(200);
  });

  it('everybody may rotate their own, and an admin alone another’s', async () => {
    const viewer = await newOperator(server, 'viewer');
    const finance = await newOperator(server, 'finance');
    const ofAnother = await finance.operate('POST', `/operators/${viewer.id}/rotate`, {});
    expect(refusalOf(ofAnother)).toEqual([403, 'ROLE_REFUSED']);
    const own = await viewer.operate('POST', `/operators/${viewer.id}/rotate`, {});
    expect((await operateAs(server, own.json().token)('GET', '/partners')).statusCode).toBe(200);
  });
});
