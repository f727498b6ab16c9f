import { expect, it } from 'vitest';
import { expireLinks } from '#modules/federations';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { eventsFor } from '../../support/claims.ts';
import { LINK_MS, later, linkEventNames, newEnds, newLink, verifyRightly } from '../../support/federations.ts';

const server = useApp();

it('the sweep marks overdue links, each once though several sweep at once, and notifies both sides', async () => {
  const [one, other, verified] = [await newEnds(server), await newEnds(server), await newEnds(server)];
  const link = await newLink(server, one);
  await newLink(server, other, 'CONSENT');
  await verifyRightly(server, verified, await newLink(server, verified), 'OTP');
  const { clock } = server.resources;
  expect(await expireLinks(server.resources, 100, clock.now())).toBe(0);
  const ends = await later(server, LINK_MS, await newEnds(server));
  const fresh = await newLink(server, ends);
  const swept = await Promise.all(Array.from({ length: 5 }, () => expireLinks(server.resources, 100, clock.now())));
  expect(swept.reduce((sum, count) => sum + count, 0)).toBe(2);
  for (const side of [one.primary, one.secondary]) {
    const last = (await eventsFor(server, side)).at(-1);
    expect(last).toMatchObject({ event: 'FEDERATION_EXPIRED', reference: link.id, data: { status: 'EXPIRED' } });
    expect(last?.data).not.toHaveProperty('token');
  }
  expect(await linkEventNames(server, ends.primary, fresh)).toEqual([]);
});

it('the periodic sweep expires them too, however many batches they fill', async () => {
  const ends = await newEnds(server);
  const link = await newLink(server, ends);
  server.clock.advance(LINK_MS);
  await maintain(server.resources);
  expect(await linkEventNames(server, ends.primary, link)).toEqual(['FEDERATION_EXPIRED']);
});

it('closing a tag revokes what is open on it, on either side, and notifies both', async () => {
  const ends = await newEnds(server);
  const verified = await newLink(server, ends);
  await verifyRightly(server, ends, verified, 'OTP');
  const pending = await newLink(server, { ...ends, primary: ends.secondary, secondary: ends.stranger });
  const { headers, tag } = ends.secondary;
  expect((await server.call('DELETE', `/api/v1/tags/${tag}`, { headers })).statusCode).toBe(200);
  for (const [side, link] of [
    [ends.primary, verified],
    [ends.secondary, verified],
    [ends.secondary, pending],
    [ends.stranger, pending],
  ] as const) {
    expect((await linkEventNames(server, side, link)).at(-1)).toBe('FEDERATION_REVOKED');
  }
});
