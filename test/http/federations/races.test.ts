import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { eventsFor } from '../../support/claims.ts';
import {
  codeFor,
  federate,
  LINK_MS,
  later,
  linkEventNames,
  newEnds,
  newLink,
  otherThan,
  reject,
  remove,
  seeFederation,
  verify,
} from '../../support/federations.ts';
import { newTag } from '../../support/tags.ts';

const server = useApp();

const fifty = <Result>(attempts: readonly (() => Promise<Result>)[]): Promise<Result[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => attempts[index % attempts.length]?.() as Promise<Result>));

const countOf = (answers: readonly { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length;

const openBetween = async (one: string, other: string) => {
  const { rows } = await server.owner.query(
    `select l.id from federations.link l join tags.tag p on p.id = l.primary_tag_id join tags.tag t on t.id = l.linked_tag_id
      where array[p.handle, t.handle] <@ array[$1, $2] and l.status in ('PENDING', 'VERIFIED')`,
    [one, other],
  );
  return rows.length;
};

it('fifty start a link between two tags at once, from both sides: one does', async () => {
  const { primary, secondary } = await newEnds(server);
  const answers = await fifty([
    () => federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod: 'OTP' }),
    () => federate(server, secondary, secondary.tag, { secondaryTag: primary.tag, verificationMethod: 'OTP' }),
  ]);
  expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 49]);
  expect(await openBetween(primary.tag, secondary.tag)).toBe(1);
  const events = [...(await eventsFor(server, primary)), ...(await eventsFor(server, secondary))];
  expect(events.map(({ event }) => event)).toEqual(['FEDERATION_CHALLENGE']);
});

it('fifty start again a link that is over but was not swept: one does, and the old one ends once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const before = await newEnds(server);
    const link = await newLink(server, before);
    const { primary, secondary } = await later(server, LINK_MS, before);
    const answers = await fifty([
      () => federate(server, primary, primary.tag, { secondaryTag: secondary.tag, verificationMethod: 'CONSENT' }),
      () => federate(server, secondary, secondary.tag, { secondaryTag: primary.tag, verificationMethod: 'CONSENT' }),
    ]);
    expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 49]);
    expect(await openBetween(primary.tag, secondary.tag)).toBe(1);
    expect(await linkEventNames(server, primary, link)).toEqual(['FEDERATION_EXPIRED']);
    expect(await linkEventNames(server, secondary, link)).toEqual(['FEDERATION_CHALLENGE', 'FEDERATION_EXPIRED']);
  }
});

it('fifty first links of one tag at once gather under one federation', async () => {
  const { primary, secondary } = await newEnds(server);
  const tags = await Promise.all(Array.from({ length: 10 }, () => newTag(server, secondary)));
  const answers = await Promise.all(
    tags.map((secondaryTag) => federate(server, primary, primary.tag, { secondaryTag, verificationMethod: 'CONSENT' })),
  );
  expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(1);
  expect((await seeFederation(server, primary, primary.tag)).json().data.links).toHaveLength(10);
});

it('the right code, wrong codes, reject and delete, fifty at once: one outcome', async () => {
  const ends = await newEnds(server);
  const { primary, secondary } = ends;
  const link = await newLink(server, ends);
  const code = await codeFor(server, secondary, link);
  const answers = await fifty([
    () => verify(server, primary, link, code),
    () => reject(server, secondary, link),
    () => verify(server, primary, link, otherThan(code)),
    () => remove(server, primary, link),
  ]);
  const { status } = (await seeFederation(server, primary, primary.tag)).json().data.links[0];
  const events = [...(await linkEventNames(server, primary, link)), ...(await linkEventNames(server, secondary, link))];
  // A verified link may be deleted at once by those who come after: two moves, both told.
  const moves = events.filter((event) => event !== 'FEDERATION_CHALLENGE');
  expect(countOf(answers, 200) + (status === 'FAILED' ? 1 : 0)).toBe(moves.length);
  expect(moves.length).toBe(moves.includes('FEDERATION_VERIFIED') && status === 'REVOKED' ? 2 : 1);
  expect(moves).toContain(`FEDERATION_${status}`);
  expect(countOf(answers, 500)).toBe(0);
});

it('a tag that is closed while its link is verified leaves no verified link behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, 'CONSENT');
    const { headers } = ends.primary;
    const [closed, verified] = await Promise.all([
      server.call('DELETE', `/api/v1/tags/${ends.primary.tag}`, { headers }),
      verify(server, ends.secondary, link),
    ]);
    expect(closed.statusCode).toBe(200);
    expect([200, 404, 409]).toContain(verified.statusCode);
    expect(await openBetween(ends.primary.tag, ends.secondary.tag)).toBe(0);
  }
});
