import { expect, it } from 'vitest';
import { partnerEvents } from '#modules/sandbox';
import { eventBodies } from '#wire/events.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newEndpoint } from '../../support/deliveries.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();

const trigger = ({ headers }: TestPartner, event: string) =>
  server.call('POST', '/v2/sandbox/events', { headers, payload: { event } });
const eventsOf = async ({ id }: TestPartner) =>
  (
    await server.owner.query<{ event: string; reference: string; body: string }>(
      `select event, reference, body from outbox.event e join outbox.receiver r on r.id = e.receiver_id where r.owner_id = $1`,
      [id],
    )
  ).rows;
const newReceiver = () => server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });

const isToBeNamed = (event: string) => /^(endpoint|delivery|dispute|payout)\./.test(event);

it.each(partnerEvents.filter((event) => event !== 'webhook.test' && !isToBeNamed(event)))(
  '200: %s as it really looks, marked as of the sandbox, to the caller’s receiver alone',
  async (event) => {
    const [partner, other] = [await newReceiver(), await newReceiver()];
    const answer = await trigger(partner, event);
    expect([answer.statusCode, answer.json().event]).toEqual([200, event]);
    const [sent] = await eventsOf(partner);
    const body = JSON.parse(sent?.body ?? '{}');
    expect(eventBodies[event].safeParse(body).error).toBeUndefined();
    expect(body.reference).toMatch(/^sandbox-/);
    expect((body.data.Transaction ?? body.data).Reference).toMatch(/^sandbox-/);
    expect((body.data.Transaction ?? body.data).Comment).toBe('A sample of the sandbox: no money has moved.');
    expect(sent?.reference).toBe(body.reference);
    expect(await eventsOf(other)).toEqual([]);
    const { rows } = await server.owner.query('select from ledger.transaction where owner_id = $1', [partner.id]);
    expect(rows).toEqual([]);
  },
);

it.each(partnerEvents.filter(isToBeNamed))(
  '200: %s to the endpoint that names it; 409 where none does',
  async (event) => {
    const partner = await newReceiver();
    expect(refusalOf(await trigger(partner, event))).toEqual([409, 'EVENT_NOT_WANTED']);
    const endpoint = await newEndpoint(server, partner, { events: [event] });
    const answer = await trigger(partner, event);
    expect(answer.json()).toMatchObject({ event, endpointId: endpoint });
    const { rows } = await server.owner.query<{ body: string }>(`select body from outbox.event where id = $1`, [
      answer.json().eventId,
    ]);
    const body = JSON.parse(rows[0]?.body ?? '{}');
    expect(eventBodies[event].safeParse(body).error).toBeUndefined();
    expect(body.reference).toMatch(/^sandbox-/);
    expect(body.data).toMatchObject(
      event.startsWith('dispute.')
        ? { TransactionReference: `${body.reference}-movement`, Wallet: 'sandbox' }
        : event.startsWith('payout.')
          ? { Wallet: 'sandbox', Transaction: { Reference: body.reference } }
          : { Host: 'sandbox.example' },
    );
  },
);
