import { describe, expect, it } from 'vitest';
import { eq } from '#drizzle';
import { openDatabase } from '#lib/database.ts';
import { createDirectory } from '#modules/claims';
import { tag } from '#modules/tags';
import { useApp } from '../../support/app.ts';
import { newSides } from '../../support/claims.ts';
import { newCustomer } from '../../support/onboarding.ts';

const server = useApp();

describe('a look-up in the directory', () => {
  it('gives each of many concurrent callers the tag they asked for, and nothing for an unknown one', async () => {
    const partner = await server.newPartner();
    const { paytag: ada } = await newCustomer(server, partner);
    const { paytag: bola } = await newCustomer(server, partner);
    const directory = createDirectory(server.resources.db);
    const asked = Array.from({ length: 600 }, (_, index) => [ada, bola, `nobody-${index}`][index % 3] ?? '');
    const found = await Promise.all(asked.map((address) => directory.find(address)));
    expect(found.map((row) => row?.handle)).toEqual(
      asked.map((address) => (address.startsWith('nobody') ? undefined : address)),
    );
  });

  it('never shows what was before a change that was committed: it remembers nothing', async () => {
    const { paytag } = await newCustomer(server, await server.newPartner());
    for (const status of ['SUSPENDED', 'ACTIVE', 'SUSPENDED'] as const) {
      await server.resources.db.update(tag).set({ status }).where(eq(tag.handle, paytag));
      const rows = await Promise.all(Array.from({ length: 50 }, () => server.resources.directory.find(paytag)));
      expect(new Set(rows.map((row) => row?.status))).toEqual(new Set([status]));
    }
  });

  it('shows the newest hundred approved claims, to the owner’s application too, however many there are', async () => {
    const { owner, requester, tag: handle } = await newSides(server);
    const { rows } = await server.owner.query<{ id: string }>(
      `with subjects as (
         insert into applications.subject (application_id, external_id, routing_mac)
         select $1, 'many-' || n, '\\x00' from generate_series(1, 150) n returning id)
       insert into claims.claim (tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at,
                                 requested_at, approved_at, updated_at)
       select t.id, s.id, $1, 'APPROVED', sha256(s.id::text::bytea), now(), now(), now(), now()
         from subjects s cross join tags.tag t where t.handle = $2 returning id`,
      [requester.applicationId, handle],
    );
    const newest = rows
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
      .slice(0, 100);
    for (const headers of [{}, owner.headers]) {
      const { data } = (await server.call('GET', `/api/v1/tags/${handle}`, { headers })).json();
      expect(data.activeClaims.map(({ id }: { id: string }) => id)).toEqual(newest);
    }
  });

  it('fails for every caller when the store is unavailable', async () => {
    const away = openDatabase(server.resources.databaseUrl, 1, () => undefined);
    await away.close();
    const directory = createDirectory(away.db);
    const results = await Promise.allSettled(['ada', 'ada', 'nobody'].map((address) => directory.find(address)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
