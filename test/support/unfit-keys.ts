import { expect, it } from 'vitest';
import type { Answer, TestApp } from './app.ts';

/** A POST that succeeds when it is sent as it is. */
export interface Post {
  url: string;
  headers: Record<string, string>;
  payload?: object;
}

function sendWith(server: TestApp, key: string, { url, headers, payload }: Post): Promise<Answer> {
  return server.call('POST', url, {
    headers: { ...headers, 'idempotency-key': key },
    ...(payload === undefined ? {} : { payload }),
  });
}

/** Of the block 400 of an operation that honours Idempotency-Key: what is none. */
export function refuseUnfitKeys(server: TestApp, newPost: () => Promise<Post>): void {
  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
  ])('an Idempotency-Key that is %s', async (_, key) => {
    const answer = await sendWith(server, key, await newPost());
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'INVALID_PARAMETER']);
    expect(answer.json().message).toContain('Idempotency-Key');
  });
}

/** Of the block 409: a key that came with another body before, which was answered and is answered so again. */
export function refuseReusedKeys(server: TestApp, newPost: () => Promise<Post>): void {
  it('IDEMPOTENCY_KEY_REUSED: another body under the same key; the same one is answered as it was', async () => {
    const post = await newPost();
    const first = await sendWith(server, 'once', post);
    expect(first.statusCode).toBe(200);
    const other = await sendWith(server, 'once', { ...post, payload: { ...post.payload, other: true } });
    expect([other.statusCode, other.json().errorCode]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    const again = await sendWith(server, 'once', post);
    expect([again.statusCode, again.headers['idempotency-replayed'], again.body]).toEqual([200, 'true', first.body]);
  });
}
