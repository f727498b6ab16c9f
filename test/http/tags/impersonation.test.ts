import { describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../../support/app.ts';
import { newApplication, newToken } from '../../support/application.ts';
import { listed } from '../../support/cases.ts';
import { newPerson } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { another, createTag, newSubject } from '../../support/tags.ts';

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

/** Our name, drawn with what looks like its letters. */
const DRAWN = [
  ...listed`
  ƤayTag | ᏢayTag | ꓑayTag | ⲢayTag | РаyТаg | ΡayTag | Pаyƭag | Ｐａｙ Ｔａｇ | 🄿🄰🅈 🅃🄰🄶 | 🅿🅰🆈🆃🅰🅶
  🅟🅐🅨🅣🅐🅖 | 🇵🇦🇾🇹🇦🇬 | 𝗣𝗮𝘆𝗧𝗮𝗴 | ᴘᴀʏᴛᴀɢ | P̶a̶y̶T̶a̶g̶ | Paytaɡ | ÞayTag Team | The Pąÿ Ŧâğ
`,
  'P\u0323a\u0301yTag',
  'PayT/\\g',
  'P^yT^g',
  'PavTag',
  'PauTag',
  'Pay-|-ag',
  'P/\\\\/Tag',
];
/** What is no name on a page where people type their password. */
const UNREADABLE = [
  'Pay†ag',
  'Сбербанк',
  'Փող',
  'ᎠᎴ ᏒᎨ',
  'ꓡꓲꓢꓴ',
  'Ⲡⲁⲓ',
  'Acmе Foods', // the last letter of Acme is Cyrillic
  'Acme 🏦',
  '\u0301Acme',
  'Acme \u0323Pay',
  `A${'\u0301'.repeat(5)}cme`,
  'Acme (acme-login.com)',
  'https://acme.example',
  'acme.ng',
  'شركةAcme',
  '08031234567',
  'Call 08031234567',
  'localhost:3000',
  'mailto:x@y.zz',
];

describe('V2.2.1: a name is read as what it is', () => {
  it.each(DRAWN)('and is not ours, drawn otherwise: %s', async (name) => {
    const application = await server.call('POST', '/api/v1/applications', { payload: { applicationName: name } });
    expect(refusalOf(application)).toEqual([400, 'APPLICATION_NAME_RESERVED']);
    const { headers } = await newApplication(server);
    const payload = { externalId: 'u1', displayName: name };
    const subject = await server.call('POST', '/api/v1/subjects', { headers, payload });
    expect(refusalOf(subject)).toEqual([400, 'NAME_RESERVED']);
  });

  it.each(UNREADABLE)('of an application, a subject, a person, a partner, a merchant: not %j', async (name) => {
    const refusals = [];
    const application = await server.call('POST', '/api/v1/applications', { payload: { applicationName: name } });
    refusals.push(application);
    const { headers } = await newApplication(server);
    const displayed = { externalId: 'u2', displayName: name };
    refusals.push(await server.call('POST', '/api/v1/subjects', { headers, payload: displayed }));
    const partner = await server.newPartner();
    const kyc = { kyc: { firstName: name, lastName: 'Obi' } };
    refusals.push(await server.call('POST', '/v2/partner/wallet', { headers: partner.headers, payload: kyc }));
    const redirectUrl = 'https://acme.example/cb';
    refusals.push(await server.operate('POST', '/partners', { name, redirectUrl }));
    const terminal = { partnerId: partner.id, serialNumber: 'TRM-NAME', merchant: name };
    refusals.push(await server.operate('POST', '/terminals', terminal));
    for (const refusal of refusals) expect(refusalOf(refusal)).toEqual([400, 'INVALID_PARAMETER']);
  });

  it.each(['Ọlá Stores', 'Ṣọlá & Ńgọ́zị Ltd.', 'Ɗanjuma Ƙofar', "Yar'Adua-Bello", 'أبو بكر', 'Café Ẹ̀kọ́ 24/7'])(
    'and honest ones are taken: %s',
    async (name) => {
      const headers = await newApplication(server, name).then((made) => made.headers);
      const payload = { externalId: 'u1', displayName: name };
      expect((await server.call('POST', '/api/v1/subjects', { headers, payload })).statusCode).toBe(201);
      const answer = await server.operate('POST', '/partners', { name, redirectUrl: 'https://acme.example/cb' });
      expect([answer.statusCode, answer.json().name]).toEqual([201, name]);
    },
  );
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

const MAX = 5;
const DAY_MS = 24 * 3_600_000;
const limited = useApp({ APPLICATION_TAGS_MAX: String(MAX) });

describe('an application that takes handle after handle', () => {
  it('V2.4.1: gets its quota and no more, of fifty at once too, and nothing by closing what it has, for 90 days', async () => {
    const application = await newApplication(limited);
    const subjectId = await newSubject(limited, application);
    const handles = Array.from({ length: 50 }, () => another('squat'));
    const make = (tagString: string, by = application) => createTag(limited, by, { tagString, subjectId });
    const answers = await Promise.all(handles.map((tagString) => make(tagString)));
    const made = handles.filter((_, n) => answers[n]?.statusCode === 201);
    expect(made).toHaveLength(MAX);
    const refused = answers.find(({ statusCode }) => statusCode !== 201);
    expect([refused?.statusCode, refused?.json().errorCode]).toEqual([403, 'TAG_QUOTA_EXCEEDED']);

    const { headers } = application;
    expect((await limited.call('DELETE', `/api/v1/tags/${made[0]}`, { headers })).statusCode).toBe(200);
    expect((await make(another('squat'))).statusCode).toBe(403);
    limited.clock.advance(90 * DAY_MS);
    const later = { ...application, headers: await newToken(limited, application) };
    expect((await make(another('squat'), later)).statusCode).toBe(201);
    expect((await make(another('squat'), later)).statusCode).toBe(403);
  });

  it('V2.4.1: leaves the quota of others alone', async () => {
    const application = await newApplication(limited);
    const subjectId = await newSubject(limited, application);
    expect((await createTag(limited, application, { tagString: another('mine'), subjectId })).statusCode).toBe(201);
  });
});
