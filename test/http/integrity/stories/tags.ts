import type { Answer, TestApp } from '../../../support/app.ts';
import { newApplication, newToken, operateApplication } from '../../../support/application.ts';
import {
  answerConsent,
  askForClaim,
  consentInPerson,
  endClaim,
  METHODS,
  newEnds,
  newLink,
  reject,
  remove,
  type TestClaim,
  verifyRightly,
} from '../../../support/claims.ts';
import { decide, initiate, newSide, offer, type Side, setTagStatus, shortOffer } from '../../../support/switch.ts';
import { newSubject } from '../../../support/tags.ts';
import { loggedIn, newReference } from '../../../support/wallets.ts';
import type { Story } from './story.ts';

const HOUR_MS = 3_600_000;
const HOOKS = { webhookUrl: 'http://127.0.0.1:9/hooks' };

const twoSides = async (server: TestApp): Promise<[Side, Side]> => [
  await newSide(server, 'Acme', HOOKS),
  await newSide(server, 'Market', HOOKS),
];

/** After a time in which their tokens end. */
async function hoursLater(server: TestApp, hours: number, ...sides: Side[]): Promise<void> {
  server.clock.advance(hours * HOUR_MS);
  for (const side of sides) side.headers = await newToken(server, side);
}

const claimOn = async (server: TestApp, tag: string, asker: Side): Promise<TestClaim> => {
  const subjectId = await newSubject(server, asker);
  return (await askForClaim(server, asker, tag, { subjectId })).json<{ data: TestClaim }>().data;
};

/** What happens between tags, each by those who do it, and what may come of it. */
export const tagStories: Readonly<Record<string, Story>> = {
  async 'offers of money, in every end'(server, step) {
    const [acme, market] = await twoSides(server);
    for (const [by, verb] of [
      [market, 'accept'],
      [market, 'reject'],
      [acme, 'cancel'],
    ] as const) {
      const { id } = await step(`an offer to ${verb}`, () => offer(server, acme, market));
      await step(`${verb}ed`, () => decide(server, by, id, verb));
    }
    await step('one that nobody answers', () => shortOffer(server, acme, market));
    await step('expired', () => hoursLater(server, 1, acme, market));
    await step('more than there is', async () => {
      await initiate(server, acme, { receiverTag: market.tag, amount: 99_000_000, reference: newReference() });
    });
    await step('to oneself', async () => {
      await initiate(server, acme, { receiverTag: acme.tag, amount: 5, reference: newReference() });
    });
    const ada = await loggedIn(server, await server.newPartner({ ...HOOKS, float: 10 }));
    await step('to a PayTag', () => initiate(server, acme, { receiverTag: ada.paytag, amount: 1_500 }));
    const waits = await offer(server, acme, market);
    const { applicationId } = acme;
    const suspended = () => operateApplication(server, applicationId, 'suspend');
    await step('whose sender is suspended', suspended);
    await step('accepted all the same', async () => {
      await decide(server, market, waits.id, 'accept');
    });
    await step('restored', () => operateApplication(server, applicationId, 'restore'));
    const money = (what: string): Promise<Answer> =>
      server.operate('POST', `/applications/${applicationId}/${what}`, {
        amount: 50,
        currency: 'NGN',
        reference: newReference(),
        reason: 'received',
      });
    await step('funded', () => money('fund'));
    await step('settled', () => money('settlement'));
  },

  async 'claims, in every end'(server, step) {
    const [acme, market] = await twoSides(server);
    const asked = () => step('a claim', () => claimOn(server, market.tag, acme));
    const approved = await asked();
    await step('approved', () => answerConsent(server, market, approved.consentToken, 'approve'));
    await step('revoked', () => endClaim(server, acme, approved, 'revoke'));
    const rejected = await asked();
    await step('rejected', () => answerConsent(server, market, rejected.consentToken, 'reject'));
    const cancelled = await asked();
    await step('cancelled', () => endClaim(server, acme, cancelled, 'cancel'));
    const confirmed = await asked();
    await step('confirmed in person', () => consentInPerson(server, confirmed));
    await step('expired', () => hoursLater(server, 25, acme, market));
  },

  async 'links of tags, in every end'(server, step) {
    for (const method of METHODS) {
      const ends = await newEnds(server);
      const link = await step(`a link by ${method}`, () => newLink(server, ends, method));
      await step('verified', () => verifyRightly(server, ends, link, method));
      await step('removed', () => remove(server, ends.primary, link));
    }
    const ends = await newEnds(server);
    const refused = await newLink(server, ends);
    await step('rejected', () => reject(server, ends.secondary, refused));
    await newLink(server, ends);
    await step('expired', async () => server.clock.advance(HOUR_MS));
  },

  async 'tags that are suspended, restored and closed'(server, step) {
    const [acme, market] = await twoSides(server);
    await offer(server, acme, market);
    for (const status of ['SUSPENDED', 'ACTIVE', 'CLOSED'] as const) {
      await step(`with an offer that waits: ${status}`, () => setTagStatus(server, market.tag, status));
    }
    const partner = await server.newPartner({ ...HOOKS, float: 100 });
    const ada = await loggedIn(server, partner, 50);
    await step('a PayTag with money in its wallet', () => setTagStatus(server, ada.paytag, 'CLOSED'));
    const { applicationId } = await newApplication(server);
    await step('an application suspended', () => operateApplication(server, applicationId, 'suspend'));
    for (const what of ['suspend', 'restore']) {
      await step(`a partner: ${what}`, () =>
        server.operate('POST', `/partners/${partner.id}/${what}`, { reason: 'a test' }),
      );
    }
  },
};
