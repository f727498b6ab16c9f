import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { askForToken, newApplication, operateApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
const approve = (id: string, body?: object) => operateApplication(server, id, 'approve', body);

describe('200', () => {
  it('lets an application that waited have tokens, and is audited with its reason', async () => {
    const application = await newApplication(server);
    expect((await askForToken(server, application)).statusCode).toBe(403);
    const answer = await approve(application.applicationId, { reason: 'known to us' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: application.applicationId, status: 'ACTIVE' });
    expect((await askForToken(server, application)).statusCode).toBe(200);
    expect(await auditOf(server, application.applicationId)).toEqual([
      {
        actor: 'operator:root',
        action: 'application.approve',
        before: { status: 'PENDING' },
        after: { status: 'ACTIVE' },
        reason: 'known to us',
      },
    ]);
  });

  it('needs no reason, nor a body', async () => {
    for (const body of [undefined, {}, { reason: '' }]) {
      const { applicationId } = await newApplication(server);
      const answer = await server.operate('POST', `/applications/${applicationId}/approve`, body);
      expect(answer.statusCode).toBe(200);
      expect(await auditOf(server, applicationId)).toMatchObject([{ reason: null }]);
    }
  });
});
