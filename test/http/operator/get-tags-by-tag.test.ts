import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { DAY_MS } from '../../support/claims.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { newTag } from '../../support/tags.ts';

const server = useSharedApp();
const get = (tag: string) => server.operate('GET', `/tags/${tag}`);

describe('200', () => {
  it('whose tag it is and how it stands', async () => {
    const owner = await newApplication(server, 'Owner Bank');
    const tag = await newTag(server, owner);
    const answer = await get(tag);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      id: expect.any(String),
      tagString: tag,
      qualifiedAddress: `${tag}@${owner.namespace}`,
      status: 'ACTIVE',
      ownerId: expect.any(String),
      ownerApplicationId: owner.applicationId,
      ownerApplicationName: 'Owner Bank',
      createdByAppId: owner.applicationId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      claims: [],
      links: [],
    });
    for (const written of [`@${tag}`, tag.toUpperCase(), `${tag}@${owner.namespace}`]) {
      expect((await get(written)).json()).toEqual(answer.json());
    }
  });

  it('a closed one, and from when on its handle can be had', async () => {
    const tag = await newTag(server, await newApplication(server));
    await server.operate('POST', `/tags/${tag}/close`, { reason: 'a test' });
    const closed = (await get(tag)).json();
    expect(closed).toMatchObject({ tagString: tag, status: 'CLOSED', closedAt: expect.any(String) });
    expect(Date.parse(closed.availableFrom) - Date.parse(closed.closedAt)).toBe(90 * DAY_MS);
  });

  it('a PayTag, without who its owner is', async () => {
    const { paytag, bvn, phone } = await newCustomer(server, await server.newPartner());
    const answer = await get(paytag);
    expect(answer.json()).toMatchObject({ tagString: paytag, qualifiedAddress: `${paytag}@paytag` });
    for (const secret of [bvn, phone]) expect(answer.body).not.toContain(secret);
  });
});
