import { describe, expect, it } from 'vitest';
import { cleanUp } from '../../../src/worker/cleanup.ts';
import { useApp } from '../../support/app.ts';
import { newApplication, operateApplication } from '../../support/application.ts';
import { customerToken, newCustomer, newPerson, startChange, startSession } from '../../support/onboarding.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

async function cleanUpAfter(ms: number): Promise<void> {
  server.clock.advance(ms);
  await cleanUp(server.resources);
}

const sessionsOfPartner = async (partnerId: string) => {
  const text = 'select kind from onboarding.creation_session where partner_id = $1 order by kind';
  const { rows } = await server.owner.query<{ kind: string }>(text, [partnerId]);
  return rows.map(({ kind }) => kind);
};

describe('what somebody entered and never completed is deleted within a day of its end:', () => {
  it('an onboarding, with the BVN in it', async () => {
    const partner = await server.newPartner();
    await startSession(server, partner, newPerson());
    await cleanUpAfter(DAY_MS);
    expect(await sessionsOfPartner(partner.id)).toEqual(['CREATION']);
    await cleanUpAfter(HOUR_MS);
    expect(await sessionsOfPartner(partner.id)).toEqual([]);
  });

  it('a change of a contact, with the address in it, and the record keeps the old one', async () => {
    const partner = await server.newPartner();
    const { paytag, email } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    const headers = { ...partner.headers, authorization: `Bearer ${token}` };
    expect((await startChange(server, { headers }, { email: 'new@example.test' })).statusCode).toBe(200);
    expect(await sessionsOfPartner(partner.id)).toContain('CONTACT_CHANGE');
    await cleanUpAfter(DAY_MS + HOUR_MS);
    expect(await sessionsOfPartner(partner.id)).toEqual([]);
    const found = await server.operate('POST', '/customers/find', { paytag });
    const id = found.json<{ items: { id: string }[] }>().items[0]?.id;
    const revealed = await server.operate('POST', `/customers/${id}/reveal`, { reason: 'a test', fields: ['email'] });
    expect(revealed.json()).toMatchObject({ email });
  });
});

describe('an application that nobody approved for 90 days', () => {
  const registered = { email: 'ada@example.test', imageUrl: 'https://example.test/ada.png' };
  const view = async (id: string) => (await server.operate('GET', `/applications/${id}`)).json();

  it('has no address or picture any more, keeps its name, and can be approved', async () => {
    const { applicationId } = await newApplication(server, 'Mama Put', registered);
    await cleanUpAfter(89 * DAY_MS);
    expect(await view(applicationId)).toMatchObject(registered);
    await cleanUpAfter(DAY_MS + 1);
    const forgotten = await view(applicationId);
    expect(forgotten).toMatchObject({ name: expect.any(String), status: 'PENDING' });
    expect(forgotten).not.toHaveProperty('email');
    expect(forgotten).not.toHaveProperty('imageUrl');
    expect((await operateApplication(server, applicationId, 'approve')).statusCode).toBe(200);
  });

  it('is another than one that was approved, whose address stays', async () => {
    const { applicationId } = await newApplication(server, 'Mama Put', registered);
    await operateApplication(server, applicationId, 'approve');
    await cleanUpAfter(91 * DAY_MS);
    expect(await view(applicationId)).toMatchObject(registered);
  });
});
