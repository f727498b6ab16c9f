import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { askForClaim, newSides } from '../../support/claims.ts';

const server = useApp();
const list = async (query: string) =>
  (await server.operate('GET', `/claims?${query}`)).json<{ items: { id: string; state: string }[] }>().items;

describe('200', () => {
  it('claims, newest first, by tag, by who asked, by state; nobody could consent with what stands there', async () => {
    const [one, other] = [await newSides(server), await newSides(server)];
    const ask = async ({ requester, tag, subjectId }: typeof one) =>
      (await askForClaim(server, requester, tag, { subjectId })).json().data;
    const [first, second] = [await ask(one), await ask(other)];
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect([await ids(`tag=${one.tag}`), await ids(`applicationId=${other.requester.applicationId}`)]).toEqual([
      [first.id],
      [second.id],
    ]);
    expect([await ids('tag=nobody.has.it'), await ids('state=APPROVED')]).toEqual([[], []]);
    const answer = await server.operate('GET', `/claims?tag=${one.tag}`);
    expect(answer.body).not.toContain(first.consentToken);
    const shown = await server.operate('GET', `/tags/${one.tag}`);
    expect(shown.json().claims).toEqual(answer.json().items);
    server.clock.advance(400 * 24 * 60 * 60 * 1000);
    expect((await list('state=EXPIRED')).map(({ state }) => state)).toEqual(['EXPIRED', 'EXPIRED']);
    expect(await ids('state=PENDING')).toEqual([]);
  });
});
