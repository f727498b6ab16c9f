import { expect, it } from 'vitest';
import { applicationEvents, partnerEvents } from '#modules/sandbox';
import { eventBodies } from '#wire/events.ts';
import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import { eventsFor } from '../../support/claims.ts';
import { decide, newSide, see, walletTotals } from '../../support/switch.ts';

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
