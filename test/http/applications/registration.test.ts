import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });

describe('with APPLICATION_REGISTRATION=approval', () => {
  it('an application gets its credentials, and no token while it waits', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const payload = { client_id, client_secret };
    const answer = await server.call('POST', '/api/v1/auth/token', { payload });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ error: 'unauthorized_client', errorCode: 'APPLICATION_NOT_ACTIVE' });
    const wrong = await server.call('POST', '/api/v1/auth/token', { payload: { ...payload, client_secret: 'x' } });
    expect(wrong.statusCode).toBe(401);
  });
});
