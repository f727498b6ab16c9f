import { expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { customerToken, newCustomer, newPerson, startSession, unreachableMessenger } from '../../support/onboarding.ts';

const server = useApp();
const second = useApp({}, server);
const real = useApp(unreachableMessenger, server);

const disturb = ({ headers }: { headers: object }, provider: string, payload: object, path = '/v2/sandbox/providers') =>
  server.call('PUT', `${path}/${provider}`, { headers: { ...headers }, payload });
const list = async ({ headers }: TestPartner) =>
  (await server.call('GET', '/v2/sandbox/providers', { headers })).json().disturbed;
const onboard = ({ headers }: TestPartner, on = server) =>
  on.call('POST', '/v2/sso/create-tag', { headers, payload: newPerson() });
const codeOf = ({ statusCode, json }: Awaited<ReturnType<typeof server.call>>) => [statusCode, json().errorCode];

it('fails so often as asked, at every process, for its caller alone, and is as ever after that', async () => {
  const [partner, other] = [await server.newPartner(), await server.newPartner()];
  const told = { provider: 'bvn', answer: 'fail', delayMs: 0, timesLeft: 2 };
  expect((await onboard(partner, second)).statusCode).toBe(200); // it remembers that nothing is disturbed
  expect((await disturb(partner, 'bvn', { answer: 'fail', times: 2 })).json()).toEqual(told);
  expect(await list(partner)).toEqual([told]);
  expect(await list(other)).toEqual([]);
  expect((await onboard(other)).statusCode).toBe(200);
  expect(codeOf(await onboard(partner))).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
  expect(await list(partner)).toEqual([{ ...told, timesLeft: 1 }]);
  expect(codeOf(await onboard(partner, second))).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
  expect((await onboard(partner)).statusCode).toBe(200);
  expect(await list(partner)).toEqual([]);
});

it('of any number of calls at once, so many fail as asked', async () => {
  const partner = await server.newPartner();
  await disturb(partner, 'bvn', { answer: 'fail', times: 3 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => onboard(partner)));
  expect(answers.filter(({ statusCode }) => statusCode === 502)).toHaveLength(3);
});

it('does not answer, and is slow, by the delay: a bank, a phone and an e-mail address', async () => {
  const partner = await server.newPartner();
  const { paytag } = await newCustomer(server, partner);
  const headers = { ...partner.headers, authorization: `Bearer ${await customerToken(server, partner, paytag)}` };
  const link = () =>
    server.call('POST', '/v2/sso/wallet/bank-account', {
      headers,
      payload: { accountNumber: '0123456789', bankCode: '058' },
    });
  await disturb(partner, 'bank', { answer: 'timeout', delayMs: 20 });
  expect(codeOf(await link())).toEqual([502, 'BANK_PROVIDER_UNAVAILABLE']);
  await disturb(partner, 'bank', { answer: 'slow', delayMs: 400 });
  const answered: string[] = [];
  const linked = link().finally(() => answered.push('slow'));
  await list(partner).finally(() => answered.push('another'));
  expect((await linked).statusCode).toBe(200);
  expect(answered).toEqual(['another', 'slow']);

  const session = await startSession(server, partner, newPerson());
  const send = (channel: string) =>
    server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers: partner.headers });
  await disturb(partner, 'messaging', { answer: 'fail' });
  await disturb(partner, 'email', { answer: 'fail' });
  expect(codeOf(await send('sms'))).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
  expect(codeOf(await send('email'))).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
  expect((await send('sms')).statusCode).toBe(200);
  expect((await send('email')).statusCode).toBe(200);
});

it('the latest word counts, and it can be taken back', async () => {
  const partner = await server.newPartner();
  await disturb(partner, 'bvn', { answer: 'slow', times: 9 });
  await disturb(partner, 'bvn', { answer: 'fail' });
  expect(await list(partner)).toEqual([{ provider: 'bvn', answer: 'fail', delayMs: 0, timesLeft: 1 }]);
  const clear = async () =>
    (await server.call('DELETE', '/v2/sandbox/providers/bvn', { headers: partner.headers })).json().cleared;
  expect([await clear(), await clear()]).toEqual([true, false]);
  expect((await onboard(partner)).statusCode).toBe(200);
});

it('an application has its own; 400 what is out of bounds; 409 a provider that is real here', async () => {
  const [application, partner] = [await newApplication(server), await server.newPartner()];
  const path = '/v2/sandbox/application/providers';
  expect((await disturb(application, 'messaging', { answer: 'fail' }, path)).statusCode).toBe(200);
  const { headers } = application;
  expect((await server.call('GET', path, { headers })).json().disturbed).toHaveLength(1);
  for (const [provider, asked] of [
    ['kms', { answer: 'fail' }],
    ['bvn', { answer: 'lie' }],
    ['bvn', { answer: 'fail', times: 0 }],
    ['bvn', { answer: 'fail', times: 101 }],
    ['bvn', { answer: 'slow', delayMs: 10_001 }],
  ] as const) {
    expect(codeOf(await disturb(partner, provider, asked))).toEqual([400, 'INVALID_PARAMETER']);
  }
  const answer = await real.call('PUT', '/v2/sandbox/providers/messaging', {
    headers: partner.headers,
    payload: { answer: 'fail' },
  });
  expect(codeOf(answer)).toEqual([409, 'PROVIDER_NOT_SIMULATED']);
});
