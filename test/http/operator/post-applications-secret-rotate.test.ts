import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { askForToken, newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { DAY_MS } from '../../support/claims.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();
const rotate = (id: string, body?: object) => server.operate('POST', `/applications/${id}/secret/rotate`, body);

describe('200', () => {
  it('the new secret works at once, the old one for a day, and neither is in a log', async () => {
    const application = await newApplication(server);
    const answer = await rotate(application.applicationId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { client_secret, client_id, previousUntil } = answer.json();
    expect(answer.json()).toEqual({ client_id, client_secret, previousUntil });
    expect(client_id).toBe(application.client_id);
    expect(Date.parse(previousUntil) - server.clock.now().getTime()).toBeGreaterThan(DAY_MS - 60_000);
    for (const secret of [client_secret, application.client_secret]) {
      expect((await askForToken(server, application, secret)).statusCode).toBe(200);
    }
    server.clock.advance(DAY_MS);
    expect((await askForToken(server, application, client_secret)).statusCode).toBe(200);
    expect((await askForToken(server, application)).statusCode).toBe(401);
    const audited = await auditOf(server, application.applicationId);
    expect(audited.at(-1)).toMatchObject({
      actor: 'operator:root',
      action: 'application.secret.rotate',
      after: { previousUntil },
    });
    for (const secret of [client_secret, application.client_secret]) {
      expect(JSON.stringify(audited)).not.toContain(secret);
      expect(server.logged).not.toContain(secret);
    }
  });

  it('immediately, the old one and the one before it stop at once', async () => {
    const application = await newApplication(server);
    const second = (await rotate(application.applicationId, {})).json().client_secret;
    const answer = await rotate(application.applicationId, { immediately: true });
    expect(answer.json()).not.toHaveProperty('previousUntil');
    for (const secret of [application.client_secret, second]) {
      expect((await askForToken(server, application, secret)).statusCode).toBe(401);
    }
    expect((await askForToken(server, application, answer.json().client_secret)).statusCode).toBe(200);
  });
});

describe('409', () => {
  it('while the secret before is taken too; after that it is possible again', async () => {
    const { applicationId } = await newApplication(server);
    await rotate(applicationId);
    expect(refusalOf(await rotate(applicationId))).toEqual([409, 'SECRET_OVERLAP_RUNNING']);
    server.clock.advance(DAY_MS);
    expect((await rotate(applicationId)).statusCode).toBe(200);
  });

  it('of five at once exactly one rotates, and its secret is the one that works', async () => {
    const application = await newApplication(server);
    const all = await Promise.all(Array.from({ length: 5 }, () => rotate(application.applicationId)));
    const [done, ...others] = all.toSorted((a, b) => a.statusCode - b.statusCode);
    expect(others.map(refusalOf)).toEqual(Array.from({ length: 4 }, () => [409, 'SECRET_OVERLAP_RUNNING']));
    expect((await askForToken(server, application, done?.json().client_secret)).statusCode).toBe(200);
  });
});
