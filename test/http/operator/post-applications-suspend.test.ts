import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { approvedApplication, askForToken, newApplication, operateApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
const suspend = (id: string, body?: object) => operateApplication(server, id, 'suspend', body);

const callWith = (headers: Record<string, string>) => server.call('GET', '/api/v1/wallet', { headers });

describe('200', () => {
  it('refuses its very next call, with the token it had, and is audited with its reason', async () => {
    const application = await approvedApplication(server);
    expect((await callWith(application.headers)).statusCode).toBe(200);
    const answer = await suspend(application.applicationId, { reason: 'a complaint' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: application.applicationId, status: 'SUSPENDED' });
    expect(refusalOf(await callWith(application.headers))).toEqual([403, 'APPLICATION_NOT_ACTIVE']);
    expect((await askForToken(server, application)).statusCode).toBe(403);
    expect((await auditOf(server, application.applicationId)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'application.suspend',
      before: { status: 'ACTIVE' },
      after: { status: 'SUSPENDED' },
      reason: 'a complaint',
    });
  });

  it('one that waits for approval', async () => {
    const { applicationId } = await newApplication(server);
    expect((await suspend(applicationId)).json()).toMatchObject({ status: 'SUSPENDED' });
  });
});

describe('409', () => {
  it('one that is suspended: of ten at once exactly one suspends it', async () => {
    const { applicationId } = await newApplication(server);
    const all = await Promise.all(Array.from({ length: 10 }, () => suspend(applicationId)));
    const refused = all.filter(({ statusCode }) => statusCode !== 200).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'APPLICATION_STATUS_CONFLICT']));
    expect(await auditOf(server, applicationId)).toHaveLength(1);
  });
});
