import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';

const server = useApp();
const uuid = /^[0-9a-f-]{36}$/;

const failure = (errorCode: string) => ({
  success: false,
  message: expect.any(String),
  errorCode,
  errors: [expect.any(String)],
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  requestId: expect.stringMatching(uuid),
});

describe('an unknown route', () => {
  it.each(['/nothing', '/v2/nothing', '/v2/partner/nothing', '/v2/sso/a/b/c', '/operator/v1/nothing'])(
    '%s answers 404 in the one error shape',
    async (url) => {
      const answer = await server.call('GET', url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual(failure('ROUTE_NOT_FOUND'));
    },
  );

  it('of the switch answers in the Envelope, whose data is null', async () => {
    const answer = await server.call('GET', '/api/v1/nothing/here');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ ...failure('ROUTE_NOT_FOUND'), data: null });
  });
});

describe('a request that cannot be read', () => {
  it.each([
    [
      'malformed JSON',
      { headers: { 'content-type': 'application/json' }, payload: '{"amount":' },
      400,
      'MALFORMED_JSON',
    ],
    [
      'another content type',
      { headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['no content type', { payload: Buffer.from('x') }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'more than 32 KiB',
      { headers: { 'content-type': 'application/json' }, payload: JSON.stringify({ a: 'x'.repeat(33_000) }) },
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'an empty body where one is needed',
      { headers: { 'content-type': 'application/json' }, payload: '' },
      400,
      'INVALID_PARAMETER',
    ],
    ['a list for an object', { payload: [] as object }, 400, 'INVALID_PARAMETER'],
  ])('%s answers %#: %j', async (_what, call, status, code) => {
    const partner = await server.newPartner();
    const answer = await server.call('POST', '/v2/partner/wallet', {
      ...call,
      headers: { ...partner.headers, ...('headers' in call ? call.headers : {}) },
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ errorCode: code, success: false });
  });

  it('a path that is not well encoded answers 400', async () => {
    const answer = await server.call('GET', '/api/v1/tags/%E0%A4%A');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errorCode: 'BAD_REQUEST', data: null });
  });
});

describe('a request id', () => {
  it('is taken when it is well formed, returned, and part of a failure', async () => {
    const answer = await server.call('GET', '/v2/nothing', { headers: { 'x-request-id': 'order-42.retry_1' } });
    expect(answer.headers['x-request-id']).toBe('order-42.retry_1');
    expect(answer.json().requestId).toBe('order-42.retry_1');
  });

  it.each(['with space', 'x'.repeat(129), 'line%0abreak', '<script>'])('%s is replaced by one of ours', async (id) => {
    const answer = await server.call('GET', '/health/live', { headers: { 'x-request-id': id } });
    expect(answer.headers['x-request-id']).toMatch(uuid);
  });
});

it('no GET that acts answers a HEAD: a code exchanged or an OTP sent unseen would be lost', async () => {
  for (const url of ['/v2/sso/token?auth-code=x', '/v2/sso/abc/otp', '/v2/sso/create-tag/abc/otp']) {
    expect((await server.call('HEAD', url)).statusCode).toBe(405);
  }
  expect((await server.call('HEAD', '/health/live')).statusCode).toBe(200);
});
