import { expect, it } from 'vitest';
import { expireClaims } from '#modules/claims';
import { maintainEachMinute } from '../../../src/worker/each-minute.ts';
import { useApp } from '../../support/app.ts';
import { after, claimsSeenBy, DAY_MS, eventsFor, newClaim, newSides } from '../../support/claims.ts';

const server = useApp();

it('the sweep marks overdue claims, each once though several sweep at once, and notifies both sides', async () => {
  const sides = await newSides(server);
  const claim = await newClaim(server, sides);
  const other = await newSides(server);
  await newClaim(server, other);
  expect(await expireClaims(server.resources)).toBe(0);
  const later = await after(server, DAY_MS, sides);
  const fresh = await newClaim(server, { ...later, tag: other.tag });
  const swept = await Promise.all(Array.from({ length: 5 }, () => expireClaims(server.resources)));
  expect(swept.reduce((sum, count) => sum + count, 0)).toBe(2);
  for (const side of [sides.owner, sides.requester]) {
    const events = (await eventsFor(server, side)).filter(({ event }) => event === 'CONSENT_EXPIRED');
    expect(events).toMatchObject([
      { reference: claim.id, data: { state: 'EXPIRED', consentToken: '', approvalUrl: '' } },
    ]);
  }
  expect(await claimsSeenBy(server, later.requester, other.tag)).toMatchObject([{ id: fresh.id, state: 'PENDING' }]);
});

it('a worker sweeps them too', async () => {
  const sides = await newSides(server);
  await newClaim(server, sides);
  await after(server, DAY_MS, sides);
  await maintainEachMinute(server.resources);
  expect((await eventsFor(server, sides.owner)).at(-1)).toMatchObject({ event: 'CONSENT_EXPIRED' });
});
