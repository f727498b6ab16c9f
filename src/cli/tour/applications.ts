import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Application, asApplication, type Enveloped, handles, runId, type TourContext } from './context.ts';

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
  tour.check('whoever asks cannot approve', true);
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
