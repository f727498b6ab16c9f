import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import { claimsSeenBy, eventsFor, newClaim, newSides } from '../../support/claims.ts';
import { createTag, newSubject } from '../../support/tags.ts';

const server = useSharedApp();
const close = ({ headers }: TestApplication, tag: string) => server.call('DELETE', `/api/v1/tags/${tag}`, { headers });

describe('200', () => {
  it('closes the tag for everybody, and ends what was pending on it', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await close(sides.owner, sides.tag);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ success: true, data: null });
    for (const headers of [{}, sides.owner.headers]) {
      expect((await server.call('GET', `/api/v1/tags/${sides.tag}`, { headers })).statusCode).toBe(404);
    }
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toBeNull();
    expect((await eventsFor(server, sides.requester)).at(-1)).toMatchObject({
      event: 'CONSENT_REJECTED',
      reference: claim.id,
    });
    expect((await server.call('GET', `/api/v1/consent/${claim.consentToken}`)).statusCode).toBe(404);
    const payload = { tagString: sides.tag, subjectId: await newSubject(server, sides.owner) };
    expect((await createTag(server, sides.owner, payload)).json().errorCode).toBe('TAG_ALREADY_EXISTS');
  });
});
