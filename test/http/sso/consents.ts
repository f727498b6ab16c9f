import type { Answer, TestApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import {
  answerConsent,
  askForClaim,
  consentInPerson,
  federate,
  newEnd,
  type TestClaim,
  verify,
} from '../../support/claims.ts';
import { OTP } from '../../support/onboarding.ts';
import { newSubject } from '../../support/tags.ts';
import { type LoggedIn, loggedIn } from '../../support/wallets.ts';

/** A new customer, logged in at a partner of their own. */
export const newLoggedIn = async (server: TestApp): Promise<LoggedIn> => loggedIn(server, await server.newPartner());

/** A claim of the shop on the customer's PayTag, not yet answered. */
export async function pendingClaim(server: TestApp, shop: TestApplication, { paytag }: LoggedIn): Promise<TestClaim> {
  const subjectId = await newSubject(server, shop, { displayName: 'Ada O.' });
  return (await askForClaim(server, shop, paytag, { subjectId })).json().data;
}

/** A claim that the customer approved on the page, and its attestation. */
export async function approvedClaim(server: TestApp, shop: TestApplication, customer: LoggedIn) {
  const claim = await pendingClaim(server, shop, customer);
  await consentInPerson(server, claim);
  const approved = await answerConsent(server, shop, claim.consentToken, 'approve');
  return { claim, token: approved.json<{ data: { token: string } }>().data.token };
}

/** A link to the customer's PayTag that waits for the code they were sent. */
export async function pendingLink(server: TestApp, { paytag }: LoggedIn) {
  const primary = await newEnd(server, 'Acme');
  const request = { secondaryTag: paytag, verificationMethod: 'OTP' };
  const started = await federate(server, primary, primary.tag, request);
  const [{ id }] = started.json<{ data: { links: [{ id: string }] } }>().data.links;
  return { primary, link: { id, primaryTag: primary.tag } };
}

/** A verified link to the customer's PayTag. */
export async function verifiedLink(server: TestApp, customer: LoggedIn) {
  const pending = await pendingLink(server, customer);
  await verify(server, pending.primary, pending.link, OTP);
  return pending;
}

export const listConsents = (server: TestApp, { headers }: Pick<LoggedIn, 'headers'>, query = ''): Promise<Answer> =>
  server.call('GET', `/v2/sso/consent${query}`, { headers });
