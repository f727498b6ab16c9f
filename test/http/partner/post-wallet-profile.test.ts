import { describe, expect, it } from 'vitest';
import { type Answer, useSharedApp } from '../../support/app.ts';

const server = useSharedApp();
const chidi = { firstName: 'Chidi', otherName: 'Emeka', lastName: 'Okafor' };
const ngozi = { firstName: 'Ngozi', lastName: 'Bello' };

type Headers = Record<string, string>;
const open = (headers: Headers, payload: object) => server.call('POST', '/v2/partner/wallet', { headers, payload });
const newHeaders = async (): Promise<Headers> => (await server.newPartner()).headers;
const profileOf = (answer: Answer) => answer.json().KycProfile;
const outcomeOf = (answer: Answer) => [answer.statusCode, answer.json().errorCode ?? answer.json().KycProfile.Name];
const MISMATCH = [409, 'PROFILE_MISMATCH'];

describe('a profileId beside kyc is the partner’s own number of a person', () => {
  it('makes the profile under this number the first time, and opens one more wallet for it every later time', async () => {
    const headers = await newHeaders();
    const first = await open(headers, { kyc: chidi, profileId: 2_348_031_234_567 });
    expect(profileOf(first)).toEqual({ ID: 2_348_031_234_567, Name: 'Chidi Emeka Okafor' });
    const again = await open(headers, { kyc: chidi, profileId: 2_348_031_234_567 });
    const alone = await open(headers, { profileId: 2_348_031_234_567 });
    for (const later of [again, alone]) expect(profileOf(later)).toEqual(profileOf(first));
    expect(new Set([first, again, alone].map((one) => one.json().Reference)).size).toBe(3);
  });

  it('means another person at each partner', async () => {
    const [one, two] = [await newHeaders(), await newHeaders()];
    expect(profileOf(await open(one, { kyc: chidi, profileId: 7 })).Name).toBe('Chidi Emeka Okafor');
    expect(profileOf(await open(two, { kyc: ngozi, profileId: 7 }))).toEqual({ ID: 7, Name: 'Ngozi Bello' });
    expect(profileOf(await open(one, { profileId: 7 })).Name).toBe('Chidi Emeka Okafor');
  });

  it('is shown as KycProfile.ID by every read of the wallet, and to the operator', async () => {
    const { id: partnerId, headers } = await server.newPartner();
    await open(headers, { kyc: chidi });
    const { Reference } = (await open(headers, { kyc: ngozi, profileId: 500 })).json();
    const read = await server.call('GET', `/v2/partner/wallet/${Reference}`, { headers });
    const listed = await server.call('GET', '/v2/partner/wallet', { headers });
    const operator = await server.operate('GET', `/wallets/${Reference}`);
    const operatorsList = await server.operate('GET', `/wallets?partnerId=${partnerId}`);
    expect([read.json().KycProfile.ID, listed.json().items[0].KycProfile.ID]).toEqual([500, 500]);
    expect([operator.json().kycProfileId, operatorsList.json().items[0].kycProfileId]).toEqual([500, 500]);
  });

  it.each([
    ['another first name', { ...chidi, firstName: 'Chidinma' }],
    ['another last name', { ...chidi, lastName: 'Okoro' }],
    ['names that are swapped', { ...chidi, firstName: 'Okafor', lastName: 'Chidi' }],
    ['another other name', { ...chidi, otherName: 'Obinna' }],
    ['another person altogether', ngozi],
  ])('409 for %s, and no wallet is opened', async (_what, kyc) => {
    const headers = await newHeaders();
    await open(headers, { kyc: chidi, profileId: 7 });
    expect(outcomeOf(await open(headers, { kyc, profileId: 7 }))).toEqual(MISMATCH);
    expect((await server.call('GET', '/v2/partner/wallet', { headers })).json().count).toBe(1);
  });

  it('409 for an other name that the profile does not have', async () => {
    const headers = await newHeaders();
    await open(headers, { kyc: ngozi, profileId: 7 });
    expect(outcomeOf(await open(headers, { kyc: { ...ngozi, otherName: 'Ada' }, profileId: 7 }))).toEqual(MISMATCH);
  });

  it.each([
    ['case, accents and blanks', { firstName: ' CHÍDI ', otherName: 'emeka', lastName: 'Ọkafọr' }],
    ['hyphens and apostrophes', { firstName: 'Chi-di', otherName: 'E’meka', lastName: 'Oka for' }],
    ['no other name', { firstName: 'Chidi', lastName: 'Okafor' }],
    ['null for the other name', { firstName: 'Chidi', otherName: null, lastName: 'Okafor' }],
  ])('is used by the same names written with %s', async (_what, kyc) => {
    const headers = await newHeaders();
    const first = await open(headers, { kyc: chidi, profileId: 7 });
    const again = await open(headers, { kyc, profileId: 7 });
    expect(again.statusCode).toBe(200);
    expect(profileOf(again)).toEqual(profileOf(first));
  });

  it('makes one profile, however many first calls come at once', async () => {
    const headers = await newHeaders();
    const calls = Array.from({ length: 12 }, (_, index) =>
      open(headers, { kyc: index % 2 ? ngozi : chidi, profileId: 7 }),
    );
    const answers = await Promise.all(calls);
    const [opened, refused] = [200, 409].map((status) => answers.filter(({ statusCode }) => statusCode === status));
    expect(new Set(opened?.map((answer) => JSON.stringify(profileOf(answer)))).size).toBe(1);
    expect(opened).toHaveLength(6);
    expect(refused?.map(outcomeOf)).toEqual(Array.from({ length: 6 }, () => MISMATCH));
  });
});

describe('without a profileId we number', () => {
  it.each([[undefined], [null], [''], [0], [-3]])('which a profileId of %j is', async (profileId) => {
    const headers = await newHeaders();
    expect(profileOf(await open(headers, { kyc: chidi, profileId })).ID).toBe(1);
    expect(profileOf(await open(headers, { kyc: chidi, profileId })).ID).toBe(2);
  });

  it('with the next number that the partner has not chosen itself', async () => {
    const headers = await newHeaders();
    for (const profileId of [2, 3, Number.MAX_SAFE_INTEGER]) await open(headers, { kyc: ngozi, profileId });
    const numbered = [];
    for (let count = 0; count < 3; count += 1) numbered.push(profileOf(await open(headers, { kyc: chidi })).ID);
    expect(numbered).toEqual([1, 4, 5]);
  });

  it('never two people alike, though all come at once and the partner chooses the very same numbers', async () => {
    const headers = await newHeaders();
    const ours = Array.from({ length: 10 }, () => open(headers, { kyc: chidi }));
    const theirs = Array.from({ length: 10 }, (_, index) => open(headers, { kyc: ngozi, profileId: index + 1 }));
    const numbered = (await Promise.all(ours)).map(profileOf);
    expect(new Set(numbered.map(({ ID }) => ID)).size).toBe(10);
    for (const { Name } of numbered) expect(Name).toBe('Chidi Emeka Okafor');
    for (const answer of await Promise.all(theirs)) {
      expect([[200, 'Ngozi Bello'], MISMATCH]).toContainEqual(outcomeOf(answer));
    }
  });
});

it.each([[null], [{}], [{ firstName: '', lastName: null }], [{ firstName: ' ', nickname: 'Chi' }]])(
  'kyc that holds nothing is absent beside a profileId: %j',
  async (kyc) => {
    const headers = await newHeaders();
    expect(outcomeOf(await open(headers, { kyc, profileId: 7 }))).toEqual([404, 'PROFILE_NOT_FOUND']);
    await open(headers, { kyc: chidi, profileId: 7 });
    expect(profileOf(await open(headers, { kyc, profileId: 7 }))).toEqual({ ID: 7, Name: 'Chidi Emeka Okafor' });
  },
);
