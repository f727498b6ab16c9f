import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { partnerWithDeliveries } from '../../support/partner-with-deliveries.ts';

const server = useApp();
let [well, paused, failing]: TestPartner[] = [];
let applicationId: string;

const list = async (query = '') =>
  (await server.operate('GET', `/receivers?${query}`)).json<{
    items: { ownerId: string; endpointId: string; isDefault: boolean }[];
    count: number;
    nextCursor?: string;
  }>();
const ownersOf = async (query: string) => (await list(query)).items.map(({ ownerId }) => ownerId);

beforeAll(async () => {
  well = await partnerWithDeliveries(server, 2);
  paused = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  failing = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  ({ applicationId } = await newApplication(server));
  await server.operate('POST', `/receivers/${paused.id}/pause`, { reason: 'a flood' });
  await server.owner.query(
    `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, openings, open_until)
      select id, 7, $2::timestamptz, $2, 1, $2::timestamptz + interval '1 minute' from outbox.receiver where owner_id = $1`,
    [failing.id, server.clock.now()],
  );
});

describe('200', () => {
  it('endpoints of all, newest first, with how they are doing, and none of their keys', async () => {
    const answer = await server.operate('GET', '/receivers?ownerKind=PARTNER');
    expect(answer.json()).toMatchObject({
      count: 3,
      items: [
        { ownerId: failing?.id, breaker: { state: 'OPEN', failures: 7, until: expect.any(String) } },
        { ownerId: paused?.id, status: 'PAUSED', pausedBy: 'OPERATOR', pauseReason: 'a flood' },
        { ownerId: well?.id, status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String), isDefault: true },
      ],
    });
    for (const secret of [well?.webhookSecret, well?.headers['x-client-id']]) expect(answer.body).not.toContain(secret);
  });

  it('by whose they are, whether they are paused and whether they fail', async () => {
    expect(await ownersOf('ownerKind=APPLICATION')).toContain(applicationId);
    expect(await ownersOf('status=PAUSED')).toEqual([paused?.id]);
    expect(await ownersOf('breaker=OPEN')).toEqual([failing?.id]);
    expect(await ownersOf('breaker=HALF_OPEN')).toEqual([]);
    expect(await ownersOf('ownerKind=PARTNER&status=ACTIVE&breaker=CLOSED')).toEqual([well?.id]);
    server.clock.advance(61_000);
    expect(await ownersOf('breaker=HALF_OPEN')).toEqual([failing?.id]);
  });

  it('with whose they are, and by that; and by whether they fail and whether deliveries wait', async () => {
    const names = async (query: string) =>
      (await server.operate('GET', `/receivers?${query}`))
        .json()
        .items.map(({ ownerName }: { ownerName: string }) => ownerName);
    expect(await names(`partnerId=${well?.id}`)).toEqual(['Partner 1']);
    expect(await names(`applicationId=${applicationId}`)).toEqual(['Acme']);
    expect(await names(`applicationId=${well?.id}`)).toEqual([]);
    expect(await ownersOf('failing=true')).toEqual([failing?.id]);
    expect(await ownersOf('waiting=true')).toEqual([well?.id]);
    expect(await ownersOf(`waiting=true&partnerId=${paused?.id}`)).toEqual([]);
  });

  it('several of one owner, none that was deleted, page by page', async () => {
    const payload = { url: 'https://acme.example/second' };
    const { headers = {} } = well ?? {};
    const made = await server.call('POST', '/v2/partner/webhook/endpoints', { headers, payload });
    const { id } = made.json<{ id: string }>();
    const first = await list('ownerKind=PARTNER&limit=1');
    expect(first.items).toMatchObject([{ endpointId: id, ownerId: well?.id, isDefault: false }]);
    expect(await ownersOf(`ownerKind=PARTNER&limit=1&cursor=${first.nextCursor}`)).toEqual([failing?.id]);
    await server.call('DELETE', `/v2/partner/webhook/endpoints/${id}`, { headers });
    expect((await list('ownerKind=PARTNER')).count).toBe(3);
  });
});
