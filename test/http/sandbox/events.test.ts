import { describe, expect, it } from 'vitest';
import { applicationEvents, partnerEvents } from '#modules/sandbox';
import { eventBodies } from '#wire/events.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import { eventsFor } from '../../support/claims.ts';
import { newEndpoint } from '../../support/deliveries.ts';
import { refusalOf } from '../../support/refusals.ts';
import { decide, newSide, see, walletTotals } from '../../support/switch.ts';

describe('POST /sandbox/events', () => {
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
});

describe('a receiver of ours', () => {
  const server = useApp({ WEBHOOK_TIMEOUT_MS: '100' });

  interface Hooks {
    urls: Record<string, string>;
    requests: { mode: string; status: number; headers: Record<string, string>; body: string }[];
  }
  const read = async ({ headers }: TestPartner): Promise<Hooks> =>
    (await server.call('GET', '/v2/sandbox/hooks', { headers })).json();

  /** What a receiver answers to an event. */
  const send = async (url: string, id: string, payload: object = { event: 'webhook.test' }) =>
    server.call('POST', new URL(url).pathname, {
      headers: { 'webhook-id': id, 'x-secret': 'not kept', 'content-type': 'application/json' },
      payload,
    });

  it('answers as its mode says: 200, 500, 200 too slowly, and 500 to the first two attempts of each event', async () => {
    const partner = await server.newPartner();
    const { urls } = await read(partner);
    const statuses = async (mode: string, ids: string[]) => {
      const answers = [];
      for (const id of ids) answers.push((await send(urls[mode] ?? '', id)).statusCode);
      return answers;
    };
    expect(await statuses('200', ['a', 'a'])).toEqual([200, 200]);
    expect(await statuses('500', ['a', 'a'])).toEqual([500, 500]);
    expect(await statuses('slow', ['a'])).toEqual([200]);
    expect(await statuses('flaky', ['a', 'a', 'b', 'a', 'b', 'b'])).toEqual([500, 500, 500, 200, 500, 200]);
    expect((await read(partner)).requests.map(({ mode }) => mode).slice(0, 7)).toEqual([
      ...Array(6).fill('flaky'),
      'slow',
    ]);
  });

  it('keeps the bytes and the headers of webhooks, of the last hundred requests, for its partner alone', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { urls } = await read(partner);
    for (let n = 1; n <= 101; n += 1) await send(urls['200'] ?? '', `event-${n}`, { n, amount: 10.5 });
    const { requests } = await read(partner);
    expect(requests).toHaveLength(100);
    expect(requests[0]).toMatchObject({ mode: '200', status: 200, body: '{"n":101,"amount":10.5}' });
    expect(requests[0]?.headers).toMatchObject({ 'webhook-id': 'event-101', 'content-type': 'application/json' });
    expect(requests[0]?.headers).not.toHaveProperty('x-secret');
    expect(requests.at(-1)?.headers['webhook-id']).toBe('event-2');
    expect((await read(other)).requests).toEqual([]);
  });
});

describe('the sandbox of applications', () => {
  const server = useApp();
  const BASE = '/v2/sandbox/application';

  const ask = ({ headers }: TestApplication, method: 'GET' | 'POST', path: string, payload?: object) =>
    server.call(method, `${BASE}${path}`, { headers, ...(payload && { payload }) });
  const codeOf = ({ statusCode, json }: Awaited<ReturnType<typeof ask>>) => [statusCode, json().errorCode];
  const newReceiver = () => newApplication(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/hooks' });

  it('every event there is can be sent, to a partner or to an application', () => {
    expect([...new Set([...partnerEvents, ...applicationEvents])].toSorted()).toEqual(
      Object.keys(eventBodies).toSorted(),
    );
  });

  it.each(applicationEvents)('%s as it really looks, to the caller’s receiver alone', async (event) => {
    const [application, other] = [await newReceiver(), await newReceiver()];
    const answer = await ask(application, 'POST', '/events', { event });
    expect([answer.statusCode, answer.json().event]).toEqual([200, event]);
    const [sent] = await eventsFor(server, application);
    expect(eventBodies[event].safeParse(sent).error).toBeUndefined();
    expect(answer.json().reference).toBe(sent?.reference);
    expect(await eventsFor(server, other)).toEqual([]);
  });

  it('leaves the books in order: what was sent for show is no transaction that nobody knows', async () => {
    const application = await newReceiver();
    for (const event of applicationEvents) {
      expect((await ask(application, 'POST', '/events', { event })).statusCode).toBe(200);
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('has receivers of its own, which keep what they were sent', async () => {
    const [application, other] = [await newReceiver(), await newReceiver()];
    const { urls } = (await ask(application, 'GET', '/hooks')).json();
    await server.call('POST', new URL(urls['500']).pathname, { payload: { event: 'CONSENT_REVOKED' } });
    const { requests } = (await ask(application, 'GET', '/hooks')).json();
    expect(requests).toMatchObject([{ mode: '500', status: 500, body: '{"event":"CONSENT_REVOKED"}' }]);
    expect((await ask(other, 'GET', '/hooks')).json().requests).toEqual([]);
  });

  it('is offered money by a test sender, accepts or rejects it as any other, and sees it expire when its time is marked forward', async () => {
    const rides = await newSide(server, 'Rides');
    const offer = (reference: string, given: object = {}) =>
      ask(rides, 'POST', '/transaction', { receiverTag: rides.tag, amount: 50.5, reference, ...given });
    const [first, second, third] = await Promise.all(['a', 'b', 'c'].map((reference) => offer(reference)));
    expect([first?.statusCode, first?.json()]).toMatchObject([
      201,
      { status: 'AWAITING_ACCEPTANCE', amount: 50.5, receiverTag: rides.tag, senderAppName: 'Test Sender' },
    ]);
    expect((await offer('a')).json().id).toBe(first?.json().id);
    expect(codeOf(await offer('a', { amount: 51 }))).toEqual([409, 'REFERENCE_REUSED']);
    expect((await decide(server, rides, first?.json().id, 'accept')).json().data.status).toBe('ACCEPTED');
    expect((await decide(server, rides, second?.json().id, 'reject')).json().data.status).toBe('REJECTED');
    expect((await walletTotals(server, rides)).total).toBe(100_005_050);
    const { moved } = (await ask(rides, 'POST', '/time', { seconds: 73 * 3600 })).json();
    expect(moved.transactions).toBe(1);
    expect((await see(server, rides, third?.json().id)).json().data.status).toBe('EXPIRED');
    expect((await eventsFor(server, rides)).map(({ event }) => event)).toEqual([
      ...Array(3).fill('TRANSACTION_INITIATED'),
      'TRANSACTION_EXPIRED',
    ]);
  });

  it('credits its settlement wallet with test money, once for each reference', async () => {
    const rides = await newSide(server, 'Rides');
    const credit = (amount: number) => ask(rides, 'POST', '/wallet/credit', { amount, reference: 'top-up' });
    expect((await credit(25.5)).json()).toMatchObject({ currency: 'NGN', availableAmount: 1_000_025.5 });
    expect((await credit(25.5)).json().availableAmount).toBe(1_000_025.5);
    expect(codeOf(await credit(26))).toEqual([409, 'REFERENCE_REUSED']);
  });
});
