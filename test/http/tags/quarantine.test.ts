import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication, newToken, type TestApplication } from '../../support/application.ts';
import { DAY_MS } from '../../support/claims.ts';
import { createPayTag, logIn, newPerson } from '../../support/onboarding.ts';
import { createTag, newSubject, newTag } from '../../support/tags.ts';

const server = useApp();

const renewed = async (application: TestApplication) => ({
  ...application,
  headers: await newToken(server, application),
});

it('a closed tag’s handle is free after exactly ninety days, for one of many concurrent requests', async () => {
  const first = await newApplication(server);
  const tag = await newTag(server, first);
  const before = (await server.call('GET', `/api/v1/tags/${tag}`)).json().data;
  await server.operate('POST', `/tags/${tag}/close`, { reason: 'over' });
  server.clock.advance(90 * DAY_MS - 60_000);
  const tooSoon = await renewed(first);
  const subjectId = await newSubject(server, tooSoon);
  expect((await createTag(server, tooSoon, { tagString: tag, subjectId })).statusCode).toBe(409);
  server.clock.advance(60_000);
  const next = await renewed(await newApplication(server));
  const nextSubject = await newSubject(server, next);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => createTag(server, next, { tagString: tag, subjectId: nextSubject })),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
  const now = (await server.call('GET', `/api/v1/tags/${tag}`)).json().data;
  expect(now).toMatchObject({ status: 'ACTIVE', createdByAppId: next.applicationId });
  expect(now.id).not.toBe(before.id);
  const { rows } = await server.owner.query('select status from tags.tag where handle = $1 order by id', [tag]);
  expect(rows).toEqual([{ status: 'CLOSED' }, { status: 'ACTIVE' }]);
});

it('a customer is not confused with the new owner of their old PayTag', async () => {
  const partner = await server.newPartner();
  const person = newPerson();
  await createPayTag(server, partner, person);
  await server.operate('POST', `/tags/${person.paytag}/close`, { reason: 'over' });
  const verify = () => server.call('GET', `/v2/sso/verify-tag?paytag=${person.paytag}`, { headers: partner.headers });
  expect((await verify()).json()).toMatchObject({ available: false });
  server.clock.advance(90 * DAY_MS);
  expect((await verify()).json()).toMatchObject({ available: true });
  const other = { ...newPerson(), paytag: person.paytag, firstName: 'Chidi' };
  expect((await createPayTag(server, partner, other)).statusCode).toBe(200);
  const { data } = (await server.call('GET', `/api/v1/tags/${person.paytag}`)).json();
  expect(data.canonicalOwner.displayName).toBe('Chidi Obi');
  expect((await logIn(server, partner, person.paytag)).json().errorCode).toBe('PASSWORD_NOT_SET');
});
