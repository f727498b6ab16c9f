import { expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newPerson, OTP, startSession } from '../../support/onboarding.ts';

const server = useApp();

const read = ({ headers }: TestPartner, session: string) =>
  server.call('GET', `/v2/sandbox/otp?session=${encodeURIComponent(session)}`, { headers });
const refusal = async (answer: ReturnType<typeof read>) => {
  const { statusCode, json } = await answer;
  return [statusCode, json().errorCode];
};

it('200: the code that was sent last, which the session then takes', async () => {
  const partner = await server.newPartner();
  const { headers } = partner;
  const session = await startSession(server, partner, newPerson());
  await server.call('GET', `/v2/sso/${session}/otp`, { headers });
  const answer = await read(partner, session);
  expect(answer.json()).toEqual({
    otp: OTP,
    channel: 'sms',
    recipients: [expect.stringContaining('*')],
    expiresAt: expect.any(String),
  });
  const { otp, expiresAt } = answer.json();
  expect(Date.parse(expiresAt)).toBeGreaterThan(server.clock.now().getTime());
  expect((await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } })).json().validated).toBe(
    true,
  );
  expect(await refusal(read(partner, session))).toEqual([409, 'OTP_NOT_SENT']);
});

it('400, 404, 409 and 410: no session, another partner’s, one without a code, and one that has expired', async () => {
  const partner = await server.newPartner();
  const session = await startSession(server, partner, newPerson());
  expect(await refusal(read(partner, ''))).toEqual([400, 'INVALID_PARAMETER']);
  expect(await refusal(read(await server.newPartner(), session))).toEqual([404, 'SESSION_NOT_FOUND']);
  expect(await refusal(read(partner, session))).toEqual([409, 'OTP_NOT_SENT']);
  server.clock.advance(31 * 60_000);
  expect(await refusal(read(partner, session))).toEqual([410, 'SESSION_EXPIRED']);
});
