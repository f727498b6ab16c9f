import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { newPerson } from '../support/onboarding.ts';
import { refusalOf } from '../support/refusals.ts';

const server = useSharedApp();

const NAMES = [
  'The PayTag Team',
  'PayTag Verification',
  'Central Bank of Nigeria',
  'EFCC',
  'P\u0430y T4g',
  'C\u0435ntral B@nk',
];
/** Symbols and digits stand in no person’s name anyway. */
const OF_LETTERS = [...NAMES.filter((name) => !/[\d@]/.test(name)), 'Ｇ\u0422Bank', 'Customer Care'];

describe('V2.2.1: nobody passes for us, for an authority or for a bank', () => {
  it.each([...NAMES, 'NIBSS Settlement', 'Zenith Bank Refunds', 'Official Support'])(
    'by the name of an application, which stands in the messages that customers get: %s',
    async (applicationName) => {
      const answer = await server.call('POST', '/api/v1/applications', { payload: { applicationName } });
      expect(refusalOf(answer)).toEqual([400, 'APPLICATION_NAME_RESERVED']);
    },
  );

  it('by a namespace that its name becomes', async () => {
    const payload = { applicationName: 'pay\u4e00tag' };
    expect(refusalOf(await server.call('POST', '/api/v1/applications', { payload }))[0]).toBe(400);
  });

  it.each(NAMES)('by the name of a subject, which whoever resolves its tag sees: %s', async (displayName) => {
    const { headers } = await newApplication(server);
    const answer = await server.call('POST', '/api/v1/subjects', {
      headers,
      payload: { externalId: 'u1', displayName },
    });
    expect(refusalOf(answer)).toEqual([400, 'NAME_RESERVED']);
  });

  it.each(OF_LETTERS)('by another name of a customer, which payers see: %s', async (otherName) => {
    const { headers } = await server.newPartner();
    const { paytag: tag, ...person } = newPerson();
    const payloads = {
      '/v2/partner/paytag': { ...person, otherName: `- ${otherName}.`, tag },
      '/v2/sso/create-tag': { ...person, otherName },
    };
    for (const [url, payload] of Object.entries(payloads)) {
      expect(refusalOf(await server.call('POST', url, { headers, payload }))).toEqual([400, 'NAME_RESERVED']);
    }
  });

  it('by the names of a customer together', async () => {
    const { headers } = await server.newPartner();
    const { paytag: tag, ...person } = newPerson();
    const payload = { ...person, tag, firstName: 'Central', otherName: 'Bank of', lastName: 'Nigeria' };
    expect(refusalOf(await server.call('POST', '/v2/partner/paytag', { headers, payload }))).toEqual([
      400,
      'NAME_RESERVED',
    ]);
  });

  it.each(OF_LETTERS)('by the names of a KYC profile, which its partner alone vouches for: %s', async (firstName) => {
    const { headers } = await server.newPartner();
    const payload = { kyc: { firstName, lastName: 'Obi' } };
    expect(refusalOf(await server.call('POST', '/v2/partner/wallet', { headers, payload }))).toEqual([
      400,
      'NAME_RESERVED',
    ]);
  });
});

it('V2.2.1: people whose names remind of a bank are customers like any other', async () => {
  const { headers } = await server.newPartner();
  for (const names of [
    { firstName: 'Grace', lastName: 'Bank-Anthony' },
    { firstName: 'Sterling', otherName: 'Kuda', lastName: 'Uba' },
  ]) {
    const { paytag: tag, ...person } = newPerson();
    const answer = await server.call('POST', '/v2/partner/paytag', { headers, payload: { ...person, ...names, tag } });
    expect(answer.statusCode).toBe(200);
  }
});

it('V16.3.3: a name that was refused is a security event, without the name', async () => {
  const before = server.logged.length;
  await server.call('POST', '/api/v1/applications', { payload: { applicationName: 'EFCC Recovery' } });
  expect(server.logged.slice(before)).toContain('"event":"name_refused"');
  expect(server.logged.slice(before)).not.toContain('EFCC');
});
