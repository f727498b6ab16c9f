import { confirmConsent, findAnswerable } from '#modules/consent';
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
export async function consentInPerson({ resources }: TestApp, { consentToken }: TestClaim): Promise<void> {
  const { claim } = await findAnswerable(resources, consentToken, 'decline');
  await confirmConsent(resources, claim, 'PASSWORD');
}

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

export const LINK_MS = 10 * 60 * 1000;
export const METHODS = ['OTP', 'CONSENT', 'ATTESTATION'] as const;
export type Method = (typeof METHODS)[number];

/** An application with a tag. */
export interface TagSide extends TestApplication {
  tag: string;
}

/** Who starts links to a tag, whose tag that is, and somebody whom it does not concern. */
export interface Ends {
  primary: TagSide;
  secondary: TagSide;
  stranger: TagSide;
}

/** A link, with the primary tag in whose federation it is. */
export interface TestLink {
  id: string;
  primaryTag: string;
  linkedTag: string;
  status: string;
  createdAt: string;
}

export async function newEnd(server: TestApp, name: string): Promise<TagSide> {
  const application = await newApplication(server, name);
  return { ...application, tag: await newTag(server, application) };
}

export const newEnds = async (server: TestApp): Promise<Ends> => ({
  primary: await newEnd(server, 'Acme'),
  secondary: await newEnd(server, 'Bola Bank'),
  stranger: await newEnd(server, 'Stranger'),
});

/** Lets a time pass, and gives every side a token that is good after it. */
export async function later(server: TestApp, ms: number, { primary, secondary, stranger }: Ends): Promise<Ends> {
  server.clock.advance(ms);
  const renew = async (one: TagSide) => ({ ...one, headers: await newToken(server, one) });
  return { primary: await renew(primary), secondary: await renew(secondary), stranger: await renew(stranger) };
}

/** `POST /v1/tags/{tag}/federation`. */
export const federate = (
  server: TestApp,
  { headers }: TestApplication,
  tag: string,
  payload: object,
): Promise<Answer> => server.call('POST', `/api/v1/tags/${encodeURIComponent(tag)}/federation`, { headers, payload });

/** A pending link from the primary's tag to the secondary's. */
export async function newLink(server: TestApp, { primary, secondary }: Ends, verificationMethod: Method = 'OTP') {
  const answer = await federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod });
  const { data } = answer.json<{ data: { primaryTag: string; links: Omit<TestLink, 'primaryTag'>[] } }>();
  const [link] = data.links;
  if (link === undefined) throw new Error('a federation that was initiated has a link');
  return { ...link, primaryTag: data.primaryTag };
}

const pathOf = ({ primaryTag, id }: Pick<TestLink, 'primaryTag' | 'id'>) =>
  `/api/v1/tags/${encodeURIComponent(primaryTag)}/federation/${id}`;

/** `POST /v1/tags/{tag}/federation/{linkId}/verify`. */
export const verify = (
  server: TestApp,
  { headers }: TestApplication,
  link: Pick<TestLink, 'primaryTag' | 'id'>,
  token?: unknown,
): Promise<Answer> =>
  server.call('POST', `${pathOf(link)}/verify`, { headers, ...(token === undefined ? {} : { payload: { token } }) });

/** `POST /v1/tags/{tag}/federation/{linkId}/reject`. */
export const reject = (
  server: TestApp,
  { headers }: TestApplication,
  link: Pick<TestLink, 'primaryTag' | 'id'>,
): Promise<Answer> => server.call('POST', `${pathOf(link)}/reject`, { headers });

/** `DELETE /v1/tags/{tag}/federation/{linkId}`. */
export const remove = (
  server: TestApp,
  { headers }: TestApplication,
  link: Pick<TestLink, 'primaryTag' | 'id'>,
): Promise<Answer> => server.call('DELETE', pathOf(link), { headers });

/** `GET /v1/tags/{tag}/federation`. */
export const seeFederation = (server: TestApp, { headers }: TestApplication, tag: string): Promise<Answer> =>
  server.call('GET', `/api/v1/tags/${encodeURIComponent(tag)}/federation`, { headers });

/** The code that an application was sent for a link. */
export async function codeFor(server: TestApp, application: TestApplication, { id }: { id: string }): Promise<string> {
  const events = await eventsFor(server, application);
  const challenge = events.find(({ event, reference }) => event === 'FEDERATION_CHALLENGE' && reference === id);
  return String(challenge?.data['token']);
}

/** A code that is not this one. */
export const otherThan = (code: string): string => code.replace(/^./, (first) => (first === '7' ? '3' : '7'));

/** The names of what an application was told of links, oldest first. */
export const linkEventNames = async (server: TestApp, application: TestApplication, { id }: { id: string }) =>
  (await eventsFor(server, application)).filter(({ reference }) => reference === id).map(({ event }) => event);

/** The subject that owns an application's tag. */
async function ownerOf(server: TestApp, { headers, tag }: TagSide): Promise<string> {
  const resolved = await server.call('GET', `/api/v1/tags/${tag}`, { headers });
  return resolved.json<{ data: { canonicalOwner: { id: string } } }>().data.canonicalOwner.id;
}

/** An approved claim of the owner of one application's tag on the tag of another, and its attestation. */
export async function attested(server: TestApp, requester: TagSide, owner: TagSide, forSubject?: string) {
  const subjectId = forSubject ?? (await ownerOf(server, requester));
  const { headers } = requester;
  const asked = await server.call('POST', `/api/v1/tags/${owner.tag}/claims`, { headers, payload: { subjectId } });
  const { data: claim } = asked.json<{ data: { id: string; consentToken: string; tagString: string } }>();
  const approved = await answerConsent(server, owner, claim.consentToken, 'approve');
  return { claim, token: approved.json<{ data: { token: string } }>().data.token };
}

/** What verifies a link by each method, by whom it has to be verified. It can be called as often as one likes. */
export async function rightProof(server: TestApp, { primary, secondary }: Ends, link: TestLink, method: Method) {
  if (method === 'CONSENT') return () => verify(server, secondary, link);
  const token =
    method === 'OTP' ? await codeFor(server, secondary, link) : (await attested(server, primary, secondary)).token;
  return () => verify(server, primary, link, token);
}

/** Verifies a link as its method asks. */
export const verifyRightly = async (server: TestApp, ends: Ends, link: TestLink, method: Method): Promise<Answer> =>
  (await rightProof(server, ends, link, method))();

/** What an answer refuses with. */
export const refusal = (answer: Answer): [number, string] => [
  answer.statusCode,
  answer.json<{ errorCode: string }>().errorCode,
];
