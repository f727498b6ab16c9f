import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  type Application,
  asApplication,
  type Enveloped,
  handles,
  type Partner,
  runId,
  type TourContext,
  verify,
} from './tools.ts';

/** Registers an application, and creates a tag for it. Its client gets the token. */
async function register({ tour, receiver }: TourContext, name: string, tagString: string): Promise<Application> {
  const { body } = await tour.call<Enveloped<Omit<Application, 'calls'>>>('POST', '/api/v1/applications', {
    json: { applicationName: `${name} ${runId}`, webhookUrl: receiver.urlOf(name) },
    expect: 201,
  });
  const application = asApplication(tour, body.data);
  const subject = { externalId: 'till-1', displayName: `${name}, first till` };
  await application.calls.post('/v1/subjects', { body: subject });
  await application.calls.post('/v1/tags', { body: { tagString, externalId: 'till-1' } });
  return application;
}

/** Two applications register, and a tag is resolved without credentials. */
export async function registerApplications(context: TourContext): Promise<{ market: Application; rides: Application }> {
  const { tour } = context;
  tour.chapter('Two applications register, get tokens and tags, and anybody can resolve a tag');
  const market = await register(context, 'Market', handles.till);
  const rides = await register(context, 'Rides', handles.taxi);
  const resolved = await tour.call<Enveloped<{ tagString: string }>>('GET', `/api/v1/tags/${handles.ada}`);
  tour.check('Ada’s PayTag resolves', resolved.body.data.tagString === handles.ada);
  tour.check('the public answer holds no private data', !/email|phone|bvn|externalId/i.test(resolved.text));
  const etag = resolved.headers.get('etag') ?? '';
  const headers = { 'if-none-match': etag };
  await tour.call('GET', `/api/v1/tags/${handles.ada}`, { headers, expect: 304 });
  return { market, rides };
}

/** One application asks for the other's consent, and gets an attestation that anybody can verify. */
export async function giveConsent(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market asks for a claim on the tag of Rides, and Rides consents');
  const path = { tag: handles.taxi };
  const { id: claimId, consentToken = '' } = await market.calls.post('/v1/tags/{tag}/claims', {
    params: { path },
    body: { externalId: 'till-1' },
  });
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'CONSENT_REQUESTED');
  tour.check('Rides gets a webhook about the request', true);
  const approve = ({ calls }: Application) =>
    calls.post('/v1/consent/{consentToken}/approve', { params: { path: { consentToken } } });
  await tour.refused(403, approve(market));
  tour.check('the requester cannot approve', true);
  await approve(rides);
  await tour.refused(409, approve(rides));

  const attestation = await market.calls.get('/v1/tags/{tag}/claims/{claimId}/attestation', {
    params: { path: { ...path, claimId } },
  });
  const jwks = await tour.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(attestation.token, createLocalJWKSet(jwks.body), {
    algorithms: ['ES256'],
    typ: 'consent-attestation+jwt',
    audience: market.applicationId,
  });
  tour.check('Market verifies the attestation offline with the published keys', payload['tag'] === handles.taxi);
  const resolved = await tour.call<Enveloped<{ activeClaims: unknown[] }>>('GET', `/api/v1/tags/${handles.taxi}`);
  tour.check('everybody can see the active claim', resolved.body.data.activeClaims.length === 1);
}

/** Links the tags of two applications as one identity. The code goes to the other application alone. */
export async function linkTags(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market links its tag to the tag of Rides, which passes the code on');
  const start = ({ calls }: Application, tag: string, secondaryTag: string) =>
    calls.post('/v1/tags/{tag}/federation', {
      params: { path: { tag } },
      body: { secondaryTag, verificationMethod: 'OTP' },
    });
  const started = await start(market, handles.till, handles.taxi);
  const linkId = started.links[0]?.id ?? '';
  const challenge = await receiver.until(({ to, event }) => to === 'Rides' && event === 'FEDERATION_CHALLENGE');
  const { token } = (JSON.parse(challenge.body.toString()) as { data: { token: string } }).data;
  tour.check(
    'the code is sent to Rides alone, and is not in Market’s answer',
    !JSON.stringify(started).includes(token),
  );
  await tour.refused(409, start(rides, handles.taxi, handles.till));
  const verified = await market.calls.post('/v1/tags/{tag}/federation/{linkId}/verify', {
    params: { path: { tag: handles.till, linkId } },
    body: { token },
  });
  tour.check('the code verifies the link', verified.status === 'VERIFIED');
}

/** Money from tag to tag: it is held until the receiver accepts or rejects it. */
export async function offerMoney(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market offers Rides money, which is held until Rides accepts');
  const funds = ({ calls }: Application) => calls.get('/v1/wallet');
  const offer = (receiverTag: string, amount: number, reference: string) =>
    market.calls.post('/v1/transactions', {
      body: { senderTag: handles.till, receiverTag, amount, currency: 'NGN', reference, narration: 'A ride' },
    });
  const accept = ({ calls }: Application, id: string) =>
    calls.post('/v1/transactions/{id}/accept', { params: { path: { id } } });
  const opening = (await funds(market)).totalAmount;

  const made = await offer(handles.taxi, 2500, `ride-${runId}`);
  tour.check('the offer is pending and the money is held', (await funds(market)).suspendedAmount === 2500);
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'TRANSACTION_INITIATED');
  const query = { page: 0, size: 10, sort: ['amount,desc'] };
  const pending = await rides.calls.get('/v1/transactions/pending', { params: { query } });
  tour.check('Rides gets a webhook and finds the offer among the pending ones', pending.totalElements === 1);
  await tour.refused(403, accept(market, made.id));
  await accept(rides, made.id);
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_ACCEPTED');
  const settled = await funds(market);
  tour.check('once accepted, the money moves once, and Market gets a webhook', settled.totalAmount === opening - 2500);
  tour.check('nothing is held any more', settled.suspendedAmount === 0);

  const declined = await offer(handles.taxi, 100, `tip-${runId}`);
  await rides.calls.post('/v1/transactions/{id}/reject', {
    params: { path: { id: declined.id } },
    body: { rejectionReason: 'we take no tips' },
  });
  await receiver.until(({ to, event }) => to === 'Market' && event === 'TRANSACTION_REJECTED');
  tour.check('the money of a rejected offer comes back', (await funds(market)).totalAmount === opening - 2500);
  const paid = await offer(handles.ada, 40, `reward-${runId}`);
  tour.check('money to a PayTag needs no acceptance', paid.status === 'ACCEPTED');
  await receiver.until(({ to, body }) => to === 'acme' && body.includes(`"SWT-${paid.id}"`));
  tour.check('and Ada’s partner gets a webhook, as for any other credit', true);
}

/** Checks the signature of every webhook, and every invariant of the ledger. */
export async function checkEverything(
  { tour, receiver, operator }: TourContext,
  { acme, market, rides }: { acme: Partner; market: Application; rides: Application },
): Promise<void> {
  tour.chapter('All webhooks and the whole ledger are checked');
  const keys: Record<string, string> = { acme: acme.clientId, Market: market.client_id, Rides: rides.client_id };
  tour.check(
    `the R-Signature of all ${receiver.received.length} webhooks verifies`,
    receiver.received.every((delivery) => verify(keys[delivery.to] ?? '', delivery)),
  );
  const report = await tour.call<{ ok: boolean; checks: unknown[] }>('GET', '/operator/v1/ledger/check', {
    headers: operator,
  });
  tour.check(`${report.body.checks.length} invariants of the ledger hold on the live database`, report.body.ok);
}
