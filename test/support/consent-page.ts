import type { Answer, TestApp } from './app.ts';
import { newApplication, type TestApplication } from './application.ts';
import {
  federate,
  linkEventNames,
  newClaim,
  newEnd,
  type Sides,
  seeFederation,
  type TagSide,
  type TestClaim,
} from './claims.ts';
import { newCustomer, PASSWORD, type Person } from './onboarding.ts';
import { another, createTag, newSubject } from './tags.ts';

/** A customer with a password, whose PayTag an application asks for, and the application that asks. */
export interface CustomerWithRequester extends Sides {
  person: Person;
}

export async function customerWithRequester(
  server: TestApp,
  { name = 'Shop', displayName = 'Bola Ade' }: { name?: string; displayName?: string } = {},
): Promise<CustomerWithRequester> {
  const person = await newCustomer(server, await server.newPartner());
  const requester = await newApplication(server, name);
  const subjectId = await newSubject(server, requester, { displayName });
  return { person, owner: requester, stranger: requester, requester, tag: person.paytag, subjectId };
}

/** An application's tag, whose owner has an e-mail address or none, and who asks for it. */
export async function subjectWithRequester(
  server: TestApp,
  given: { email?: string } = {},
): Promise<Sides & { owner: TestApplication }> {
  const owner = await newApplication(server, 'Owner Bank');
  const requester = await newApplication(server, 'Shop');
  const tag = another('tag');
  await createTag(server, owner, { tagString: tag, subjectId: await newSubject(server, owner, given) });
  const subjectId = await newSubject(server, requester, { displayName: 'Bola Ade' });
  return { owner, requester, stranger: requester, tag, subjectId };
}

/** What a page asks for: a claim, or a link to a customer's PayTag. */
export type OnPage = Pick<TestClaim, 'consentToken'> | { approvalUrl: string };
type Answerable = OnPage & { tagString: string };

export const pathOf = (asked: OnPage): string =>
  'consentToken' in asked ? `/api/v1/consent/${asked.consentToken}` : new URL(asked.approvalUrl).pathname;

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** What a browser gets that follows the link. */
export const openPage = (server: TestApp, asked: OnPage, query = ''): Promise<Answer> =>
  server.call('GET', `${pathOf(asked)}${query}`, { headers: BROWSER });

/** The hidden field of the page's forms. */
export async function sealOf(server: TestApp, asked: OnPage): Promise<string> {
  return /name="form" value="([^"]+)"/.exec((await openPage(server, asked)).body)?.[1] ?? '';
}

/** Sends a form of the page as a browser does. */
export const postForm = (
  server: TestApp,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin', origin: 'null' },
): Promise<Answer> =>
  server.call('POST', path, {
    headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

/** Answers with a password, on a page that was opened for it. */
export async function answerByPassword(
  server: TestApp,
  asked: Answerable,
  given: { answer?: string; paytag?: string; password?: string; form?: string } = {},
): Promise<Answer> {
  return postForm(server, pathOf(asked), {
    form: given.form ?? (await sealOf(server, asked)),
    by: 'password',
    answer: given.answer ?? 'approve',
    paytag: given.paytag ?? asked.tagString,
    password: given.password ?? PASSWORD,
  });
}

/** Answers with a code. */
export async function answerByCode(server: TestApp, asked: OnPage, code: string, answer = 'approve'): Promise<Answer> {
  return postForm(server, pathOf(asked), { form: await sealOf(server, asked), by: 'code', answer, code });
}

/** Asks for a code. */
export async function askForCode(server: TestApp, asked: Answerable, channel = 'sms'): Promise<Answer> {
  return postForm(server, `${pathOf(asked)}/code`, { form: await sealOf(server, asked), channel });
}

/** A customer who is asked, and the claim that waits for her. */
export async function customerWithPendingClaim(
  server: TestApp,
  given?: Parameters<typeof customerWithRequester>[1],
): Promise<CustomerWithRequester & { claim: TestClaim }> {
  const sides = await customerWithRequester(server, given);
  return { ...sides, claim: await newClaim(server, sides) };
}

/** A link that waits for the consent of a customer with a password. */
export interface WaitingLink {
  id: string;
  approvalUrl: string;
  /** The customer's PayTag. */
  tagString: string;
  primary: TagSide;
  person: Person;
}

/** Asks for another link to a customer's PayTag, from a tag of another application. */
export async function linkTo(server: TestApp, person: Person, name = 'Acme'): Promise<WaitingLink> {
  const primary = await newEnd(server, name);
  const asked = { secondaryTag: person.paytag, verificationMethod: 'CONSENT' };
  const started = await federate(server, primary, primary.tag, asked);
  const [{ id, approvalUrl }] = started.json<{ data: { links: [{ id: string; approvalUrl: string }] } }>().data.links;
  return { id, approvalUrl, tagString: person.paytag, primary, person };
}

export const waitingLink = async (server: TestApp, name?: string): Promise<WaitingLink> =>
  linkTo(server, await newCustomer(server, await server.newPartner()), name);

/** How the link stands for the application that started it, and what it was told of it. */
export async function linkAndEvents(server: TestApp, { primary, id }: WaitingLink) {
  const { links } = (await seeFederation(server, primary, primary.tag)).json<{
    data: { links: { status: string }[] };
  }>().data;
  return { link: links[0], events: await linkEventNames(server, primary, { id }) };
}
