import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/clients';
import { useApp } from '../../support/app.ts';
import { approvedApplication, askForToken, newApplication, operateApplication } from '../../support/application.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });

describe('GET /applications', () => {
  const find = (query = '') => server.operate('GET', `/applications${query}`);

  it('finds applications, newest first, in pages, without secrets, and never the built-in one', async () => {
    const [first, second] = [await newApplication(server, 'First'), await newApplication(server, 'Second')];
    const all = await find();
    expect(all.statusCode).toBe(200);
    expect(all.headers['cache-control']).toBe('no-store');
    expect(all.json()).toMatchObject({ count: 2, limit: 20, offset: 0 });
    const ids = all.json<{ items: { id: string }[] }>().items.map(({ id }) => id);
    expect(ids).toEqual([second.applicationId, first.applicationId]);
    expect(ids).not.toContain(payTagApplicationId);
    for (const secret of [first.client_secret, second.client_secret]) expect(all.body).not.toContain(secret);
    const page = (await find('?limit=1&offset=1')).json();
    expect(page).toMatchObject({ count: 2, limit: 1, offset: 1, items: [{ id: first.applicationId, name: 'First' }] });
    expect((await find('?limit=0')).json()).toEqual({ items: [], count: 2, limit: 0, offset: 0 });
    expect((await find('?limit=101')).json().limit).toBe(100);
  });

  it('finds by status', async () => {
    const { applicationId: id } = await newApplication(server, 'Approved');
    await operateApplication(server, id, 'approve');
    expect((await find('?status=ACTIVE')).json()).toMatchObject({ count: 1, items: [{ id, status: 'ACTIVE' }] });
    expect((await find('?status=SUSPENDED')).json()).toMatchObject({ count: 0, items: [] });
    const waiting = (await find('?status=PENDING&limit=100')).json();
    expect(waiting.items.map((one: { id: string }) => one.id)).not.toContain(id);
  });
});

describe('POST /applications/{id}/approve', () => {
  const approve = (id: string, body?: object) => operateApplication(server, id, 'approve', body);

  it('lets an application that waited have tokens, and is audited with its reason', async () => {
    const application = await newApplication(server);
    expect((await askForToken(server, application)).statusCode).toBe(403);
    const answer = await approve(application.applicationId, { reason: 'known to us' });
    expect(answer.json()).toMatchObject({ id: application.applicationId, status: 'ACTIVE' });
    expect((await askForToken(server, application)).statusCode).toBe(200);
    expect(await auditOf(server, application.applicationId)).toEqual([
      byRoot('application.approve', {
        before: { status: 'PENDING' },
        after: { status: 'ACTIVE' },
        reason: 'known to us',
      }),
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

describe('POST /applications/{id}/suspend', () => {
  const suspend = (id: string, body?: object) => operateApplication(server, id, 'suspend', body);

  const callWith = (headers: Record<string, string>) => server.call('GET', '/api/v1/wallet', { headers });

  it('refuses its very next call, with the token it had, and is audited with its reason', async () => {
    const application = await approvedApplication(server);
    expect((await callWith(application.headers)).statusCode).toBe(200);
    const answer = await suspend(application.applicationId, { reason: 'a complaint' });
    expect(answer.json()).toMatchObject({ id: application.applicationId, status: 'SUSPENDED' });
    expect(refusalOf(await callWith(application.headers))).toEqual([403, 'APPLICATION_NOT_ACTIVE']);
    expect((await askForToken(server, application)).statusCode).toBe(403);
    expect((await auditOf(server, application.applicationId)).at(-1)).toEqual(
      byRoot('application.suspend', {
        before: { status: 'ACTIVE' },
        after: { status: 'SUSPENDED' },
        reason: 'a complaint',
      }),
    );
  });

  it('one that waits for approval', async () => {
    const { applicationId } = await newApplication(server);
    expect((await suspend(applicationId)).json()).toMatchObject({ status: 'SUSPENDED' });
  });

  it('409: one that is suspended: of ten at once exactly one suspends it', async () => {
    const { applicationId } = await newApplication(server);
    const all = await Promise.all(Array.from({ length: 10 }, () => suspend(applicationId)));
    const refused = all.filter(({ statusCode }) => statusCode !== 200).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 9 }, () => [409, 'APPLICATION_STATUS_CONFLICT']));
    expect(await auditOf(server, applicationId)).toHaveLength(1);
  });
});

describe('POST /applications/{id}/restore', () => {
  const restore = (id: string, body?: object) => operateApplication(server, id, 'restore', body);

  it('takes its calls again, with the token it had, and is audited with its reason', async () => {
    const { applicationId, headers } = await approvedApplication(server);
    await operateApplication(server, applicationId, 'suspend');
    const answer = await restore(applicationId, { reason: 'settled' });
    expect(answer.json()).toMatchObject({ id: applicationId, status: 'ACTIVE' });
    expect((await server.call('GET', '/api/v1/wallet', { headers })).statusCode).toBe(200);
    expect((await auditOf(server, applicationId)).at(-1)).toEqual(
      byRoot('application.restore', {
        before: { status: 'SUSPENDED' },
        after: { status: 'ACTIVE' },
        reason: 'settled',
      }),
    );
  });
});
