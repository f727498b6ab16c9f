import { beforeEach, describe, expect, test } from 'vitest';
import { pauseReceiver, watchReceivers } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { callEndpoints, endAll, newEndpoint, partnerWithEvents } from '../../support/deliveries.ts';

const server = useApp();
beforeEach(() =>
  server.owner.query(
    'truncate webhooks.episode, webhooks.failure, webhooks.breaker, webhooks.pause, webhooks.delivery cascade',
  ),
);

const OF_ENDPOINTS = ['endpoint.paused', 'endpoint.recovered', 'delivery.failed'];
/** Once to note who is well, and once to do what follows from that. */
const watch = async () => {
  const deps = { ...server.resources, webhooks: { ...server.resources.webhooks, wellAfterS: 0 } };
  for (let round = 0; round < 2; round++) await watchReceivers(deps);
};
const pause = (ownerId: string, by: 'OPERATOR' | 'OWNER' | 'SYSTEM', endpointId?: string) =>
  pauseReceiver(server.resources, { actor: 'test', by, ownerId, endpointId, reason: 'a storm of 500s' });
const resume = (ownerId: string, endpointId?: string) =>
  server.operate('POST', `/receivers/${ownerId}/resume`, endpointId === undefined ? {} : { endpointId });
const defaultOf = async (partner: TestPartner): Promise<string> =>
  (await callEndpoints(server, partner, 'GET')).json().items[0].id;

/** What was told of endpoints, in order: to which one, and the body. */
async function told(): Promise<{ to: string; event: string; reference: string; data: Record<string, unknown> }[]> {
  const { rows } = await server.owner.query<{ to: string; body: string }>(
    `select d.receiver_id as to, e.body from webhooks.delivery d join outbox.event e on e.id = d.event_id
      where e.event = any ($1) order by d.id`,
    [OF_ENDPOINTS],
  );
  return rows.map(({ to, body }) => ({ to, ...JSON.parse(body) }));
}
const namesOf = (all: Awaited<ReturnType<typeof told>>) => all.map(({ to, event }) => [to, event]);

/** With two events that wait at the default endpoint, and one beside it that asks to be told. */
async function withListener() {
  const { partner } = await partnerWithEvents(server);
  const listener = await newEndpoint(server, partner, { events: OF_ENDPOINTS });
  return { partner, listener, byDefault: await defaultOf(partner) };
}

describe('another endpoint that names these events', () => {
  test('is told once that one was paused, by whom and why, and once that it was resumed', async () => {
    const { partner, listener, byDefault } = await withListener();
    await pause(partner.id, 'OPERATOR');
    await watch();
    await resume(partner.id);
    await watch();
    const [paused, recovered, ...more] = await told();
    expect(paused).toMatchObject({
      to: listener,
      event: 'endpoint.paused',
      data: { EndpointId: byDefault, Host: '127.0.0.1:9', PausedBy: 'OPERATOR', Reason: 'a storm of 500s' },
    });
    expect(recovered).toMatchObject({
      to: listener,
      event: 'endpoint.recovered',
      reference: paused?.reference,
      data: { EndpointId: byDefault, After: 'endpoint.paused', Since: paused?.data['PausedAt'] },
    });
    expect(more).toEqual([]);
  });

  test('is told once of what FAILED, whatever fails after it, and that the endpoint takes its deliveries again', async () => {
    const { partner, listener, byDefault } = await withListener();
    await endAll(server.resources.pool, 'status 503', 1);
    await watch();
    await endAll(server.resources.pool, 'status 503', 1);
    await watch();
    const [failed, ...others] = await told();
    expect(failed).toMatchObject({
      to: listener,
      event: 'delivery.failed',
      data: { EndpointId: byDefault, Event: expect.stringMatching(/^wallet\./), LastError: 'status 503', Failed: 1 },
    });
    const delivery = await server.call('GET', `/v2/partner/webhook/deliveries/${String(failed?.data['DeliveryId'])}`, {
      headers: partner.headers,
    });
    expect(delivery.json()).toMatchObject({ status: 'FAILED', reference: failed?.data['Reference'] });
    expect(others).toEqual([]);
    await server.owner.query('delete from webhooks.breaker');
    await watch();
    expect(namesOf(await told())).toEqual([
      [listener, 'delivery.failed'],
      [listener, 'endpoint.recovered'],
    ]);
  });

  test('is told by one of several workers that look at once', async () => {
    const { partner, listener } = await withListener();
    await pause(partner.id, 'SYSTEM');
    await Promise.all(Array.from({ length: 4 }, () => watchReceivers(server.resources)));
    expect(namesOf(await told())).toEqual([[listener, 'endpoint.paused']]);
  });

  test('may be the default one, told of another', async () => {
    const { partner, byDefault } = await withListener();
    const books = await newEndpoint(server, partner);
    await callEndpoints(server, partner, 'PATCH', `/${byDefault}`, { events: ['wallet.credited', 'endpoint.paused'] });
    await pause(partner.id, 'SYSTEM', books);
    await watch();
    expect((await told()).map(({ to }) => to)).toContain(byDefault);
  });
});

describe('nothing is told', () => {
  test('to an endpoint that takes all events, to one of another partner, or of an owner’s own pause', async () => {
    const { partner } = await partnerWithEvents(server);
    await newEndpoint(server, partner);
    await newEndpoint(server, partner, { events: ['wallet.credited'] });
    await withListener();
    await pause(partner.id, 'OPERATOR');
    await watch();
    expect(await told()).toEqual([]);
    const { partner: quiet } = await withListener();
    await pause(quiet.id, 'OWNER');
    await watch();
    expect(await told()).toEqual([]);
  });

  test('to the endpoint that it is about, or to one that is paused itself', async () => {
    const { partner, listener } = await withListener();
    await pause(partner.id, 'OPERATOR', listener);
    await watch();
    await pause(partner.id, 'OPERATOR');
    await watch();
    expect(await told()).toEqual([]);
  });

  test('of the failure of what tells of endpoints, or of a test: two endpoints do not tell each other for ever', async () => {
    const { partner, listener } = await withListener();
    const other = await newEndpoint(server, partner, { events: OF_ENDPOINTS });
    await endAll(server.resources.pool, 'status 503');
    await callEndpoints(server, partner, 'POST', `/${listener}/test`);
    for (let round = 0; round < 4; round++) {
      await watch();
      await endAll(server.resources.pool, 'status 503');
    }
    const all = await told();
    expect(all.map(({ event }) => event)).toEqual(['delivery.failed', 'delivery.failed']);
    expect(new Set(all.map(({ to }) => to))).toEqual(new Set([listener, other]));
  });

  test('of an endpoint that was deleted', async () => {
    const { partner } = await withListener();
    const gone = await newEndpoint(server, partner);
    await pause(partner.id, 'OPERATOR', gone);
    await watch();
    await callEndpoints(server, partner, 'DELETE', `/${gone}`);
    await watch();
    expect((await told()).map(({ event }) => event)).toEqual(['endpoint.paused']);
  });
});
