import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import { answerConsent, askForClaim, consentInPerson, newClaim, newSides } from '../../support/claims.ts';
import { decide, initiate, newSide, offer, walletTotals } from '../../support/switch.ts';
import { newSubject } from '../../support/tags.ts';

const server = useSharedApp();

const operate = async ({ applicationId }: TestApplication, what: 'suspend' | 'restore') => {
  const answer = await server.operate('POST', `/applications/${applicationId}/${what}`, { reason: 'a test' });
  expect(answer.statusCode).toBe(200);
};
const resolve = (tag: string) => server.call('GET', `/api/v1/tags/${tag}`);

describe('the tags of a suspended application', () => {
  it('are shown as suspended, without their owners and claims, until it is restored', async () => {
    const sides = await newSides(server);
    const { consentToken } = await newClaim(server, sides);
    await answerConsent(server, sides.owner, consentToken, 'approve');
    const before = await resolve(sides.tag);
    expect(before.json().data).toMatchObject({ status: 'ACTIVE', activeClaims: [{ state: 'APPROVED' }] });
    await operate(sides.owner, 'suspend');
    const shown = await server.call('GET', `/api/v1/tags/${sides.tag}`, {
      headers: { 'if-none-match': String(before.headers['etag']) },
    });
    expect(shown.statusCode).toBe(200);
    expect(shown.json().data).toMatchObject({ status: 'SUSPENDED', activeClaims: [] });
    expect(shown.json().data).not.toHaveProperty('canonicalOwner');
    await operate(sides.owner, 'restore');
    expect((await resolve(sides.tag)).json().data).toEqual(before.json().data);
  });

  it('are asked no consent, and what was confirmed in person is not approved meanwhile', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    await operate(sides.owner, 'suspend');
    const subjectId = await newSubject(server, sides.requester);
    const asked = await askForClaim(server, sides.requester, sides.tag, { subjectId });
    const approved = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    for (const refused of [asked, approved]) {
      expect([refused.statusCode, refused.json().errorCode]).toEqual([409, 'TAG_SUSPENDED']);
    }
    await operate(sides.owner, 'restore');
    expect((await answerConsent(server, sides.requester, claim.consentToken, 'approve')).statusCode).toBe(200);
  });

  it('are paid nothing', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    await operate(market, 'suspend');
    const answer = await initiate(server, acme, { receiverTag: market.tag });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'TAG_NOT_PAYABLE']);
    expect(await walletTotals(server, acme)).toMatchObject({ held: 0 });
  });

  it('send nothing that had waited: the receiver may accept it when they are in use again', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, acme, market);
    await operate(acme, 'suspend');
    const refused = await decide(server, market, id, 'accept');
    expect([refused.statusCode, refused.json().errorCode]).toEqual([422, 'TAG_NOT_PAYABLE']);
    expect(await walletTotals(server, acme)).toMatchObject({ held: 10_000 });
    await operate(acme, 'restore');
    expect((await decide(server, market, id, 'accept')).statusCode).toBe(200);
  });
});
