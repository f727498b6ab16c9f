import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { approvedApplication, operateApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';

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
