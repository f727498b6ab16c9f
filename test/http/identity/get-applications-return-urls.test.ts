import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';

const server = useSharedApp();

describe('200', () => {
  it('lists none until some are registered', async () => {
    const { headers } = await newApplication(server);
    const answer = await server.call('GET', '/api/v1/applications/return-urls', { headers });
    expect([answer.statusCode, answer.json().data]).toEqual([200, { returnUrls: [] }]);
  });
});
