import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { sealDue } from '#modules/seals';
import { useApp } from '../../support/app.ts';
import { scrape } from '../../support/scrape.ts';

const server = useApp();
const list = (query = '') => server.operate('GET', `/seals${query}`);

describe('200', () => {
  it('every seal, newest first, with its place in the chain and what it covers; and metrics say how far, before the first from when this was installed on', async () => {
    expect((await list()).json()).toMatchObject({ items: [], count: 0 });
    expect(await scrape(server)).toMatch(/^paytag_ledger_last_seal NaN$/im);
    await server.owner.query(`insert into installation.stamp (environment, master_key_fingerprint, created_at)
      values ('sandbox', 'x', now() - interval '30 hours')`);
    const { rows: stamps } = await server.owner.query<{ at: string }>(
      'select trunc(extract(epoch from created_at), 3)::float8 as at from installation.stamp',
    );
    const unsealed = await scrape(server);
    expect(unsealed).toContain(`paytag_ledger_sealed_until_timestamp_seconds ${stamps[0]?.at}\n`);
    const checked = 'paytag_integrity_last_success_timestamp_seconds{kind="whole"}';
    expect(unsealed).toContain(`${checked} ${stamps[0]?.at}\n`);

    const made = await sealDue(server.resources);
    expect(made.length).toBeGreaterThan(28);

    const answer = await list('?limit=100');
    expect(answer.statusCode).toBe(200);
    const { items, count } = answer.json();
    expect(count).toBe(made.length);
    expect(items.map(({ seal }: { seal: string }) => seal)).toEqual(made.map(({ seal }) => seal).toReversed());
    expect(items.at(-1)).toEqual({
      number: 1,
      period: 'HOUR',
      endsAt: expect.stringMatching(/:00:00\.000Z$/),
      seal: expect.any(String),
    });
    const [{ number, startsAt, endsAt, seal }] = items;
    expect(decodeJwt(seal)).toMatchObject({ number, startsAt, endsAt });
    const metrics = await scrape(server);
    expect(metrics).toContain(`paytag_ledger_last_seal ${made.length}\n`);
    expect(metrics).toContain(`paytag_ledger_sealed_until_timestamp_seconds ${Date.parse(endsAt) / 1000}\n`);
  });

  it('those of days alone, where they are asked for', async () => {
    const { items, count } = (await list('?period=DAY')).json();
    expect(count).toBeGreaterThan(0);
    for (const { period } of items) expect(period).toBe('DAY');
  });
});
