import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { remove } from '../../support/federations.ts';
import { approvedClaim, listConsents, newLoggedIn, pendingClaim, pendingLink, verifiedLink } from './consents.ts';

const server = useSharedApp();

it('200: lists what a customer agreed to and nothing else, newest first, in pages', async () => {
  const [ada, bola, shop] = [
    await newLoggedIn(server),
    await newLoggedIn(server),
    await newApplication(server, 'Shop'),
  ];
  const { claim: first } = await approvedClaim(server, shop, ada);
  const { claim: second } = await approvedClaim(server, shop, ada);
  await pendingClaim(server, shop, ada);
  await approvedClaim(server, shop, bola);
  const answer = await listConsents(server, ada);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  const shown = {
    type: 'CLAIM',
    paytag: ada.paytag,
    applicationName: 'Shop',
    name: 'Ada O.',
    approvedAt: expect.any(String),
  };
  expect(answer.json()).toEqual({
    items: [second, first].map(({ id }) => ({ id, ...shown })),
    count: 2,
    limit: 20,
    offset: 0,
  });
  expect((await listConsents(server, ada, '?limit=1&offset=1')).json()).toMatchObject({
    items: [{ id: first.id }],
    count: 2,
  });
});

it('200: lists the verified links of the PayTag too, however they were verified, but no pending or ended ones', async () => {
  const [ada, bola, shop] = [
    await newLoggedIn(server),
    await newLoggedIn(server),
    await newApplication(server, 'Shop'),
  ];
  const first = await verifiedLink(server, ada);
  const { claim } = await approvedClaim(server, shop, ada);
  const last = await verifiedLink(server, ada);
  await verifiedLink(server, bola);
  await pendingLink(server, ada);
  const ended = await verifiedLink(server, ada);
  await remove(server, ended.primary, ended.link);
  const { items, count } = (await listConsents(server, ada)).json();
  const shownOf = ({ link, primary }: typeof first) => ({
    id: link.id,
    type: 'LINK',
    paytag: ada.paytag,
    applicationName: 'Acme',
    linkedTo: `${primary.tag}@${primary.namespace}`,
    approvedAt: expect.any(String),
  });
  expect(items).toEqual([shownOf(last), expect.objectContaining({ id: claim.id }), shownOf(first)]);
  expect(count).toBe(3);
  expect((await listConsents(server, ada, '?limit=1&offset=2')).json()).toMatchObject({
    items: [{ id: first.link.id }],
    count: 3,
  });
  expect((await listConsents(server, ada, '?limit=5&offset=3')).json()).toMatchObject({ items: [], count: 3 });
});
