import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Application, type Enveloped, handles, runId, type TourContext } from './context.ts';

/** Registers an application, gets a token for it, and creates a tag. */
async function register({ tour, receiver }: TourContext, name: string, tagString: string): Promise<Application> {
  const { body } = await tour.call<Enveloped<Omit<Application, 'headers'>>>('POST', '/api/v1/applications', {
    json: { applicationName: `${name} ${runId}`, webhookUrl: receiver.urlOf(name) },
    expect: 201,
  });
  const { client_id, client_secret } = body.data;
  const token = await tour.call<{ access_token: string }>('POST', '/api/v1/auth/token', {
    form: { client_id, client_secret },
  });
  const headers = { authorization: `Bearer ${token.body.access_token}` };
  const subject = { externalId: 'till-1', displayName: `${name}, first till` };
  await tour.call('POST', '/api/v1/subjects', { headers, json: subject, expect: 201 });
  await tour.call('POST', '/api/v1/tags', { headers, json: { tagString, externalId: 'till-1' }, expect: 201 });
  return { ...body.data, headers };
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
  const etag = String(resolved.headers['etag']);
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
  const claims = `/api/v1/tags/${handles.taxi}/claims`;
  const asked = await tour.call<Enveloped<{ id: string; consentToken: string }>>('POST', claims, {
    headers: market.headers,
    json: { externalId: 'till-1' },
    expect: 201,
  });
  const { id, consentToken } = asked.body.data;
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'CONSENT_REQUESTED');
  tour.check('Rides gets a webhook about the request', true);
  const approve = `/api/v1/consent/${consentToken}/approve`;
  await tour.call('POST', approve, { headers: market.headers, expect: 403 });
  tour.check('whoever asks cannot approve', true);
  await tour.call('POST', approve, { headers: rides.headers });
  await tour.call('POST', approve, { headers: rides.headers, expect: 409 });

  const attestation = await tour.call<Enveloped<{ token: string }>>('GET', `${claims}/${id}/attestation`, {
    headers: market.headers,
  });
  const jwks = await tour.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(attestation.body.data.token, createLocalJWKSet(jwks.body), {
    algorithms: ['ES256'],
    typ: 'consent-attestation+jwt',
    audience: market.applicationId,
  });
  tour.check('Market verifies the attestation offline with the published keys', payload['tag'] === handles.taxi);
  const resolved = await tour.call<Enveloped<{ activeClaims: unknown[] }>>('GET', `/api/v1/tags/${handles.taxi}`);
  tour.check('everybody can see the active claim', resolved.body.data.activeClaims.length === 1);
}
