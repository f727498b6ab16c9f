import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();
const get = (id: string) => server.operate('GET', `/applications/${id}`);

describe('200', () => {
  it('says who it is and how it stands, without its secret', async () => {
    const profile = { email: 'it@acme.example', imageUrl: 'https://acme.example/logo.png' };
    const payload = { applicationName: 'Acme', ...profile };
    const { data } = (await server.call('POST', '/api/v1/applications', { payload })).json();
    const answer = await get(data.applicationId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      id: data.applicationId,
      name: 'Acme',
      namespace: data.namespace,
      clientId: data.client_id,
      ...profile,
      status: 'ACTIVE',
      createdAt: expect.any(String),
    });
    expect(answer.body).not.toContain(data.client_secret);
    expect((await get(data.applicationId.toUpperCase())).json()).toEqual(answer.json());
  });
});
