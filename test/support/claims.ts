import { confirmConsent } from '#modules/consent';
import type { Answer, TestApp } from './app.ts';
import { newApplication, newToken, type TestApplication } from './application.ts';
import { newSubject, newTag } from './tags.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

export interface TestClaim {
  id: string;
  tagId: string;
  tagString: string;
  subjectId: string;
  state: string;
  consentToken: string;
  approvalUrl: string;
  tokenExpiresAt: string;
}

/** A tag's owner, somebody who asks for a claim on it for a subject of hers, and somebody whom it does not concern. */
export interface Sides {
  owner: TestApplication;
  requester: TestApplication;
  stranger: TestApplication;
  tag: string;
  subjectId: string;
}

export async function newSides(server: TestApp): Promise<Sides> {
  const [owner, requester, stranger] = [
    await newApplication(server, 'Owner Bank'),
    await newApplication(server, 'Shop'),
    await newApplication(server, 'Stranger'),
  ];
  return {
    owner,
    requester,
    stranger,
    tag: await newTag(server, owner),
    subjectId: await newSubject(server, requester, { displayName: 'Bola Ade' }),
  };
}

/** Lets a time pass, and gives every side a token that is good after it. */
export async function after(server: TestApp, ms: number, sides: Sides): Promise<Sides> {
  server.clock.advance(ms);
  const { owner, requester, stranger } = sides;
  const renew = async (one: TestApplication) => ({ ...one, headers: await newToken(server, one) });
  return { ...sides, owner: await renew(owner), requester: await renew(requester), stranger: await renew(stranger) };
}

/** `POST /v1/tags/{tag}/claims`. */
export const askForClaim = (
  server: TestApp,
  { headers }: TestApplication,
  tag: string,
  payload: object,
): Promise<Answer> => server.call('POST', `/api/v1/tags/${encodeURIComponent(tag)}/claims`, { headers, payload });

/** A pending claim of the requester on the owner's tag. */
export async function newClaim(server: TestApp, { requester, tag, subjectId }: Sides): Promise<TestClaim> {
  const answer = await askForClaim(server, requester, tag, { subjectId });
  return answer.json<{ data: TestClaim }>().data;
}

/** `POST /v1/consent/{consentToken}/approve` or `/reject`. */
export const answerConsent = (
  server: TestApp,
  { headers }: TestApplication,
  consentToken: string,
  what: 'approve' | 'reject',
): Promise<Answer> => server.call('POST', `/api/v1/consent/${encodeURIComponent(consentToken)}/${what}`, { headers });

/** `POST /v1/tags/{tag}/claims/{claimId}/cancel` or `/revoke`. */
export const endClaim = (
  server: TestApp,
  { headers }: TestApplication,
  { tagString, id }: Pick<TestClaim, 'tagString' | 'id'>,
  what: 'cancel' | 'revoke',
): Promise<Answer> => server.call('POST', `/api/v1/tags/${tagString}/claims/${id}/${what}`, { headers });

/** `GET /v1/tags/{tag}/claims`. */
export async function claimsSeenBy(
  server: TestApp,
  { headers }: TestApplication,
  tag: string,
): Promise<Partial<TestClaim>[]> {
  const answer = await server.call('GET', `/api/v1/tags/${tag}/claims`, { headers });
  return answer.json<{ data: Partial<TestClaim>[] }>().data;
}

/** What the tag's owner does on the page, her proof given. */
export const consentInPerson = (server: TestApp, { consentToken }: TestClaim): Promise<void> =>
  confirmConsent(server.resources, consentToken, 'PASSWORD');

/** The events written for an application, oldest first. */
export async function eventsFor(
  { resources }: TestApp,
  { applicationId }: TestApplication,
): Promise<{ event: string; reference: string; data: Record<string, unknown> }[]> {
  const { rows } = await resources.pool.query<{ body: string }>(
    `select e.body from outbox.event e join outbox.receiver r on r.id = e.receiver_id where r.owner_id = $1 order by e.id`,
    [applicationId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}
