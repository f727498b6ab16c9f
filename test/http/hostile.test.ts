import { beforeAll, describe, expect, it } from 'vitest';
import { errorStatus } from '#http/error-status.ts';
import { useApp } from '../support/app.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { type Hostile, hostileRequests } from '../support/hostile.ts';
import { type HostileWorld, makeHostileWorld } from './hostile-world.ts';

const server = useApp();
let world: HostileWorld;
beforeAll(async () => {
  world = await makeHostileWorld(server);
});

/** What is wrong with the answer to a hostile request; undefined when it was taken, or refused as it should be. */
async function complaint(described: Described, { what, url, headers, payload }: Hostile): Promise<string | undefined> {
  const method = described.method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  const where = `${method} ${described.path}: ${what}`;
  const sent = {
    headers: { ...world.headersFor(described), ...headers },
    ...(payload === undefined ? {} : { payload }),
  };
  const answer = await server.call(method, url, sent).catch((error: unknown) => String(error));
  if (typeof answer === 'string') return `${where}: ${answer}`;
  if (answer.statusCode < 400) return undefined;
  if (answer.statusCode >= 500) return `${where} was answered ${answer.statusCode}: ${answer.body}`;
  const isRefusal = expect.objectContaining({
    success: false,
    message: expect.stringMatching(/./),
    errorCode: expect.toSatisfy((code: string) => code in errorStatus),
    errors: expect.arrayContaining([expect.any(String)]),
    timestamp: expect.any(String),
    requestId: answer.headers['x-request-id'],
  });
  return isRefusal.asymmetricMatch(answer.json()) ? undefined : `${where} has no error shape: ${answer.body}`;
}

describe.each(documentUrls)('every operation of %s', (documentUrl) => {
  it('answers whatever is sent with success or with a refusal in the error shape, never with a 500', async () => {
    const document = await readDocument(server, documentUrl);
    const complaints: string[] = [];
    let sent = 0;
    for (const described of operationsOf(document)) {
      const requests = hostileRequests(described, world.goodFor(described), world.bodiesFor(described));
      sent += requests.length;
      for (const request of requests) {
        const found = await complaint(described, request);
        if (found !== undefined) complaints.push(found);
      }
    }
    expect(sent).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });
});
