import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { newTag } from '../../support/tags.ts';

const server = useApp();
const list = async (query: string) =>
  (await server.operate('GET', `/tags?${query}`)).json<{ items: { tagString: string }[]; count: number }>();

describe('200', () => {
  it('tags, newest first, of an application, of a status or of a time; closed ones among them', async () => {
    const [one, other] = [await newApplication(server), await newApplication(server)];
    const [first, second, third] = [await newTag(server, one), await newTag(server, one), await newTag(server, other)];
    await server.operate('POST', `/tags/${first}/close`, { reason: 'a test' });
    const names = async (query: string) => (await list(query)).items.map(({ tagString }) => tagString);
    expect((await names('')).slice(0, 3)).toEqual([third, second, first]);
    expect(await names(`createdByAppId=${one.applicationId}`)).toEqual([second, first]);
    expect(await names('status=CLOSED')).toEqual([first]);
    expect(await names('to=2020-01-01T00:00:00Z')).toEqual([]);
    expect((await list(`createdByAppId=${one.applicationId}&limit=1`)).count).toBe(2);
    const shown = (await server.operate('GET', `/tags/${second}`)).json();
    expect((await list('limit=2')).items[1]).toEqual(
      Object.fromEntries(Object.entries(shown).filter(([name]) => name !== 'claims' && name !== 'links')),
    );
  });
});

describe('tags that read as somebody’s number', () => {
  it('stay as they are, and are listed', async () => {
    const acme = await newApplication(server);
    const handles = ['8031234567', '234.803.123.4567', '0000000010', 'o80-3123-4567', 'tel-08031234567', '1-2-3'];
    const others = ['ada8031234567', 'b1732809600000', 'tel-aviv-2024', 'lil.o'];
    for (const handle of [...handles, ...others]) {
      const made = await newTag(server, acme);
      await server.owner.query('update tags.tag set handle = $1 where handle = $2', [handle, made]);
    }
    const { items } = await list(`readsAsNumber=true&createdByAppId=${acme.applicationId}`);
    expect(items.map(({ tagString }) => tagString)).toEqual(handles.toReversed());
    expect((await server.call('GET', '/api/v1/tags/8031234567')).statusCode).toBe(200);
  });
});
