import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { useApp } from '../../support/app.ts';
import { approvedApplication, newApplication, operateApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
const restore = (id: string, body?: object) => operateApplication(server, id, 'restore', body);

describe('200', () => {
  it('takes its calls again, with the token it had, and is audited with its reason', async () => {
    const { applicationId, headers } = await approvedApplication(server);
    await operateApplication(server, applicationId, 'suspend');
    const answer = await restore(applicationId, { reason: 'settled' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: applicationId, status: 'ACTIVE' });
    expect((await server.call('GET', '/api/v1/wallet', { headers })).statusCode).toBe(200);
    expect((await auditOf(server, applicationId)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'application.restore',
      before: { status: 'SUSPENDED' },
      after: { status: 'ACTIVE' },
      reason: 'settled',
    });
  });
});

describe('400', () => {
  it('no reason, and an id that is none', async () => {
    const { applicationId } = await newApplication(server);
    await operateApplication(server, applicationId, 'suspend');
    expect(refusalOf(await restore(applicationId, {}))).toEqual([400, 'INVALID_PARAMETER']);
    expect(refusalOf(await restore('acme'))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it.each([
    ['one that nobody knows', NOBODY],
    ['the built-in one', payTagApplicationId],
  ])('%s', async (_, id) => {
    expect(refusalOf(await restore(id))).toEqual([404, 'APPLICATION_NOT_FOUND']);
  });
});

describe('409', () => {
  it('one that waits, and one that is active, and nothing is audited', async () => {
    const { applicationId } = await newApplication(server);
    expect(refusalOf(await restore(applicationId))).toEqual([409, 'APPLICATION_STATUS_CONFLICT']);
    expect(await auditOf(server, applicationId)).toEqual([]);
    await operateApplication(server, applicationId, 'approve');
    expect(refusalOf(await restore(applicationId))).toEqual([409, 'APPLICATION_STATUS_CONFLICT']);
    expect(await auditOf(server, applicationId)).toHaveLength(1);
  });
});
