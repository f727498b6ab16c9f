import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { DAY_MS } from '../../support/claims.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
const NOBODY = '00000000-0000-7000-8000-000000000000';

const operate = (id: string, what: string, body: object = { reason: 'a test' }) =>
  server.operate('POST', `/applications/${id}/${what}`, body);

const askForToken = ({ client_id }: TestApplication, client_secret: string) =>
  server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } });

const approved = async (): Promise<TestApplication> => {
  const application = await newApplication(server);
  await operate(application.applicationId, 'approve');
  const token = (await askForToken(application, application.client_secret)).json().access_token;
  return { ...application, headers: { authorization: `Bearer ${token}` } };
};

const call = ({ headers }: TestApplication) => server.call('GET', '/api/v1/wallet', { headers });

describe('GET /operator/v1/applications, and {id}', () => {
  it('200: finds by status, newest first, in pages, without secrets, and never the built-in one', async () => {
    const [first, second] = [await newApplication(server, 'First'), await newApplication(server, 'Second')];
    await operate(first.applicationId, 'approve');
    const waiting = await server.operate('GET', '/applications?status=PENDING&limit=1');
    expect(waiting.json()).toMatchObject({
      limit: 1,
      offset: 0,
      items: [{ id: second.applicationId, name: 'Second' }],
    });
    const all = await server.operate('GET', '/applications');
    const ids = all.json<{ items: { id: string }[] }>().items.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([second.applicationId, first.applicationId]);
    expect(ids).not.toContain(payTagApplicationId);
    expect(all.body).not.toContain(first.client_secret);
    const one = await server.operate('GET', `/applications/${first.applicationId}`);
    expect(one.json()).toMatchObject({ id: first.applicationId, clientId: first.client_id, status: 'ACTIVE' });
  });

  it('400, 401 and 404', async () => {
    expect((await server.operate('GET', '/applications?status=GONE')).statusCode).toBe(400);
    expect((await server.call('GET', '/operator/v1/applications')).statusCode).toBe(401);
    for (const id of [NOBODY, payTagApplicationId]) {
      expect((await server.operate('GET', `/applications/${id}`)).json().errorCode).toBe('APPLICATION_NOT_FOUND');
    }
  });
});

describe('POST /operator/v1/applications/{id}/approve, /suspend, /restore', () => {
  it('200: an application that waited gets tokens, audited', async () => {
    const application = await newApplication(server);
    expect((await askForToken(application, application.client_secret)).statusCode).toBe(403);
    const answer = await operate(application.applicationId, 'approve', { reason: 'known to us' });
    expect(answer.json()).toMatchObject({ status: 'ACTIVE' });
    expect((await askForToken(application, application.client_secret)).statusCode).toBe(200);
    expect(await auditOf(server, application.applicationId)).toMatchObject([
      {
        action: 'application.approve',
        before: { status: 'PENDING' },
        after: { status: 'ACTIVE' },
        reason: 'known to us',
      },
    ]);
  });

  it('200: a suspended one is refused at its very next call, with the token it had, until it is restored', async () => {
    const application = await approved();
    expect((await call(application)).statusCode).toBe(200);
    await operate(application.applicationId, 'suspend');
    const refused = await call(application);
    expect([refused.statusCode, refused.json().errorCode]).toEqual([403, 'APPLICATION_NOT_ACTIVE']);
    expect((await askForToken(application, application.client_secret)).statusCode).toBe(403);
    await operate(application.applicationId, 'restore');
    expect((await call(application)).statusCode).toBe(200);
  });

  it.each([
    [[], 'restore'],
    [['approve'], 'approve'],
    [['approve'], 'restore'],
    [['suspend'], 'suspend'],
    [['suspend'], 'approve'],
  ] as const)('409: after %j, %s', async (before, refused) => {
    const { applicationId } = await newApplication(server);
    for (const what of before) await operate(applicationId, what);
    const answer = await operate(applicationId, refused);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'APPLICATION_STATUS_CONFLICT']);
  });

  it('400 and 404: without a reason; an unknown one, and the built-in one, which nobody can suspend', async () => {
    const { applicationId } = await newApplication(server);
    for (const what of ['suspend', 'restore']) {
      expect((await operate(applicationId, what, {})).statusCode).toBe(400);
      for (const id of [NOBODY, payTagApplicationId]) expect((await operate(id, what)).statusCode).toBe(404);
    }
  });
});

describe('POST /operator/v1/applications/{id}/secret/rotate', () => {
  it('200: the new secret works at once, the old one for a day, and neither is in the audit log', async () => {
    const application = await approved();
    const answer = await operate(application.applicationId, 'secret/rotate', {});
    expect(answer.headers['cache-control']).toBe('no-store');
    const { client_secret, client_id, previousUntil } = answer.json();
    expect(client_id).toBe(application.client_id);
    expect(client_secret).not.toBe(application.client_secret);
    expect(Date.parse(previousUntil)).toBeGreaterThan(server.clock.now().getTime());
    for (const secret of [client_secret, application.client_secret]) {
      expect((await askForToken(application, secret)).statusCode).toBe(200);
    }
    const again = await operate(application.applicationId, 'secret/rotate', {});
    expect([again.statusCode, again.json().errorCode]).toEqual([409, 'SECRET_OVERLAP_RUNNING']);
    server.clock.advance(DAY_MS);
    expect((await askForToken(application, client_secret)).statusCode).toBe(200);
    expect((await askForToken(application, application.client_secret)).statusCode).toBe(401);
    const log = JSON.stringify(await auditOf(server, application.applicationId));
    expect(log).toContain('application.secret.rotate');
    for (const secret of [client_secret, application.client_secret]) {
      expect(log).not.toContain(secret);
      expect(server.logged).not.toContain(secret);
    }
  });

  it('200: immediately, the old one and the one before it stop at once', async () => {
    const application = await approved();
    const second = (await operate(application.applicationId, 'secret/rotate', {})).json().client_secret;
    const answer = await operate(application.applicationId, 'secret/rotate', { immediately: true });
    expect(answer.json()).not.toHaveProperty('previousUntil');
    for (const secret of [application.client_secret, second]) {
      expect((await askForToken(application, secret)).statusCode).toBe(401);
    }
    expect((await askForToken(application, answer.json().client_secret)).statusCode).toBe(200);
  });

  it('400, 401 and 404', async () => {
    expect((await operate('x', 'secret/rotate', {})).statusCode).toBe(400);
    expect((await server.call('POST', `/operator/v1/applications/${NOBODY}/secret/rotate`)).statusCode).toBe(401);
    for (const id of [NOBODY, payTagApplicationId]) {
      expect((await operate(id, 'secret/rotate', {})).statusCode).toBe(404);
    }
  });
});
