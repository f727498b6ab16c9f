import { describe, expect, it } from 'vitest';
import { verifyAttestation } from '#modules/claims';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { after, answerConsent, DAY_MS, endClaim, newClaim, newSides } from '../../support/claims.ts';
import { customerToken, newCustomer } from '../../support/onboarding.ts';

const server = useApp();

const newAttestation = async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  const answer = await answerConsent(server, sides.owner, claim.consentToken, 'approve');
  const token = answer.json<{ data: { token: string } }>().data.token;
  return { sides, claim, token, requesterId: sides.requester.applicationId };
};

describe('an attestation', () => {
  it('proves its consent to the application it was issued to', async () => {
    const { claim, token, requesterId } = await newAttestation();
    expect(await verifyAttestation(server.resources, { token, requesterId })).toEqual({
      consentId: claim.id,
      tagId: claim.tagId,
      subjectId: claim.subjectId,
    });
  });

  it('proves nothing to another application, after its time, once revoked, or changed', async () => {
    const { sides, claim, token, requesterId } = await newAttestation();
    const { resources } = server;
    const strangerId = sides.stranger.applicationId;
    expect(await verifyAttestation(resources, { token, requesterId: strangerId })).toBeUndefined();
    expect(await verifyAttestation(resources, { token: `${token.slice(0, -8)}AAAAAAAA`, requesterId })).toBeUndefined();
    await endClaim(server, sides.owner, claim, 'revoke');
    expect(await verifyAttestation(resources, { token, requesterId })).toBeUndefined();
    const other = await newAttestation();
    await after(server, DAY_MS, other.sides);
    expect(await verifyAttestation(resources, other)).toBeUndefined();
  });
});

it('a token of one kind opens nothing of another', async () => {
  const { token: attestation, sides, requesterId } = await newAttestation();
  const partner = await server.newPartner();
  const customer = await customerToken(server, partner, (await newCustomer(server, partner)).paytag);
  const application = (await newApplication(server)).headers.authorization.replace('Bearer ', '');

  const asApplication = (token: string) =>
    server.call('GET', `/api/v1/tags/${sides.tag}/claims`, { headers: { authorization: `Bearer ${token}` } });
  const asCustomer = (token: string) =>
    server.call('GET', '/v2/sso/wallet', { headers: { ...partner.headers, authorization: `Bearer ${token}` } });
  const asOperator = (token: string) =>
    server.call('GET', '/operator/v1/deliveries', { headers: { authorization: `Bearer ${token}` } });

  expect((await asApplication(application)).statusCode).toBe(200);
  expect((await asCustomer(customer)).statusCode).toBe(200);
  for (const token of [attestation, customer]) expect((await asApplication(token)).statusCode).toBe(401);
  for (const token of [attestation, application]) expect((await asCustomer(token)).statusCode).toBe(401);
  for (const token of [attestation, customer, application]) expect((await asOperator(token)).statusCode).toBe(401);
  for (const token of [customer, application]) {
    expect(await verifyAttestation(server.resources, { token, requesterId })).toBeUndefined();
  }
});
