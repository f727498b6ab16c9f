import { expect, it } from 'vitest';
import { partnerEvents } from '#modules/sandbox';
import { eventBodies } from '#wire/events.ts';
import { type TestPartner, useApp } from '../../support/app.ts';

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

it.each(partnerEvents.filter((event) => event !== 'webhook.test'))(
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

it('400: an event that is not a partner’s; 409: without a webhook URL', async () => {
  const refusal = async (answer: ReturnType<typeof trigger>) => {
    const { statusCode, json } = await answer;
    return [statusCode, json().errorCode];
  };
  const partner = await newReceiver();
  expect(await refusal(trigger(partner, 'wallet.closed'))).toEqual([400, 'INVALID_PARAMETER']);
  expect(await refusal(trigger(await server.newPartner(), 'wallet.credited'))).toEqual([409, 'WEBHOOK_URL_NOT_SET']);
});
