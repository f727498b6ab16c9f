import { expect, it } from 'vitest';
import { answerLinkInPerson } from '#modules/federations';
import { useApp } from '../../support/app.ts';
import { eventsFor } from '../../support/claims.ts';
import { federate, LINK_MS, newEnds, newLink, seeFederation } from '../../support/federations.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { setTagStatus } from '../../support/switch.ts';

const server = useApp();

const linkToCustomer = async () => {
  const { primary } = await newEnds(server);
  const { paytag, ...person } = newPerson();
  await createPayTag(server, await server.newPartner(), { ...person, paytag });
  const started = await federate(server, primary, primary.tag, { secondaryTag: paytag, verificationMethod: 'CONSENT' });
  return { primary, paytag, id: String(started.json().data.links[0].id) };
};

it('a customer’s consent verifies the link and says so, and its initiator is told', async () => {
  const { primary, paytag, id } = await linkToCustomer();
  await answerLinkInPerson(server.resources, id, 'approve');
  const [link] = (await seeFederation(server, primary, primary.tag)).json().data.links;
  expect(link).toMatchObject({ id, status: 'VERIFIED', verifiedBy: `CONSENT:${paytag}@paytag` });
  expect(await eventsFor(server, primary)).toMatchObject([
    { event: 'FEDERATION_VERIFIED', reference: id, data: { verifiedBy: `${paytag}@paytag` } },
  ]);
});

it('a customer who declines ends it, and fifty answers at once are one', async () => {
  const { primary, id } = await linkToCustomer();
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => answerLinkInPerson(server.resources, id, 'decline')),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await eventsFor(server, primary)).toMatchObject([{ event: 'FEDERATION_REJECTED', reference: id }]);
  const again = answerLinkInPerson(server.resources, id, 'approve');
  await expect(again).rejects.toMatchObject({ code: 'LINK_NOT_PENDING' });
});

it('nobody consents to a link that is over, of another method, or on a suspended tag', async () => {
  const suspended = await linkToCustomer();
  await setTagStatus(server, suspended.paytag, 'SUSPENDED');
  const onSuspended = answerLinkInPerson(server.resources, suspended.id, 'approve');
  await expect(onSuspended).rejects.toMatchObject({ code: 'TAG_SUSPENDED' });
  const otp = await newLink(server, await newEnds(server), 'OTP');
  await expect(answerLinkInPerson(server.resources, otp.id, 'approve')).rejects.toMatchObject({
    code: 'LINK_NOT_FOUND',
  });
  const { id } = await linkToCustomer();
  server.clock.advance(LINK_MS);
  for (const answer of ['approve', 'decline'] as const) {
    await expect(answerLinkInPerson(server.resources, id, answer)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
  }
});
