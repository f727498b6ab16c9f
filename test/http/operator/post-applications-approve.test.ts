import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { useApp } from '../../support/app.ts';
import { askForToken, newApplication, operateApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

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

describe('400', () => {
  it('a reason that is none, and an id that is none', async () => {
    const { applicationId } = await newApplication(server);
    expect(refusalOf(await approve(applicationId, { reason: 7 }))).toEqual([400, 'INVALID_PARAMETER']);
    expect(refusalOf(await approve('acme'))).toEqual([400, 'INVALID_PARAMETER']);
  });
});

describe('404', () => {
  it.each([
    ['one that nobody knows', NOBODY],
    ['the built-in one', payTagApplicationId],
  ])('%s', async (_, id) => {
    expect(refusalOf(await approve(id))).toEqual([404, 'APPLICATION_NOT_FOUND']);
  });
});

describe('409', () => {
  it('one that is approved already, and nothing is audited', async () => {
    const { applicationId } = await newApplication(server);
    await approve(applicationId);
    const entries = await auditOf(server, applicationId);
    expect(refusalOf(await approve(applicationId))).toEqual([409, 'APPLICATION_STATUS_CONFLICT']);
    expect(await auditOf(server, applicationId)).toEqual(entries);
  });

  it('one that is suspended: it is restored instead', async () => {
    const { applicationId } = await newApplication(server);
    await operateApplication(server, applicationId, 'suspend');
    expect(refusalOf(await approve(applicationId))).toEqual([409, 'APPLICATION_STATUS_CONFLICT']);
  });
});
