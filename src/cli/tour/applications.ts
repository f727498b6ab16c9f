import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Application, handles, mark, type Stage } from './cast.ts';

interface Enveloped<Data> {
  data: Data;
}

/** An application with a token and a tag of its own. */
async function enrol({ guide, receiver }: Stage, name: string, tagString: string): Promise<Application> {
  const { body } = await guide.call<Enveloped<Omit<Application, 'headers'>>>('POST', '/api/v1/applications', {
    json: { applicationName: `${name} ${mark}`, webhookUrl: receiver.urlOf(name) },
    expect: 201,
  });
  const { client_id, client_secret } = body.data;
  const token = await guide.call<{ access_token: string }>('POST', '/api/v1/auth/token', {
    form: { client_id, client_secret },
  });
  const headers = { authorization: `Bearer ${token.body.access_token}` };
  const subject = { externalId: 'till-1', displayName: `${name}, first till` };
  await guide.call('POST', '/api/v1/subjects', { headers, json: subject, expect: 201 });
  await guide.call('POST', '/api/v1/tags', { headers, json: { tagString, externalId: 'till-1' }, expect: 201 });
  return { ...body.data, headers };
}

/** Two applications register, and anybody resolves a tag. */
export async function applicationsJoin(stage: Stage): Promise<{ market: Application; rides: Application }> {
  const { guide } = stage;
  guide.chapter('Applications register, get tokens and tags, and anybody resolves a tag');
  const market = await enrol(stage, 'Market', handles.till);
  const rides = await enrol(stage, 'Rides', handles.taxi);
  const resolved = await guide.call<Enveloped<{ tagString: string }>>('GET', `/api/v1/tags/${handles.ada}`);
  guide.tick('Ada’s PayTag resolves', resolved.body.data.tagString === handles.ada);
  guide.tick('and tells the public nothing private', !/email|phone|bvn|externalId/i.test(resolved.text));
  const etag = String(resolved.headers['etag']);
  const headers = { 'if-none-match': etag };
  await guide.call('GET', `/api/v1/tags/${handles.ada}`, { headers, expect: 304 });
  return { market, rides };
}

/** One asks the other's consent, and gets a proof that needs nobody's word. */
export async function consentIsGiven(
  { guide, receiver }: Stage,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  guide.chapter('Market asks for a claim on the tag of Rides, which consents');
  const claims = `/api/v1/tags/${handles.taxi}/claims`;
  const asked = await guide.call<Enveloped<{ id: string; consentToken: string }>>('POST', claims, {
    headers: market.headers,
    json: { externalId: 'till-1' },
    expect: 201,
  });
  const { id, consentToken } = asked.body.data;
  await receiver.until(({ to, event }) => to === 'Rides' && event === 'CONSENT_REQUESTED');
  guide.tick('Rides is told of the request', true);
  const approve = `/api/v1/consent/${consentToken}/approve`;
  await guide.call('POST', approve, { headers: market.headers, expect: 403 });
  guide.tick('who asks cannot approve', true);
  await guide.call('POST', approve, { headers: rides.headers });
  await guide.call('POST', approve, { headers: rides.headers, expect: 409 });

  const attestation = await guide.call<Enveloped<{ token: string }>>('GET', `${claims}/${id}/attestation`, {
    headers: market.headers,
  });
  const jwks = await guide.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(attestation.body.data.token, createLocalJWKSet(jwks.body), {
    algorithms: ['ES256'],
    typ: 'consent-attestation+jwt',
    audience: market.applicationId,
  });
  guide.tick('Market verifies the attestation offline, by the published keys', payload['tag'] === handles.taxi);
  const resolved = await guide.call<Enveloped<{ activeClaims: unknown[] }>>('GET', `/api/v1/tags/${handles.taxi}`);
  guide.tick('the claim is active for everybody to see', resolved.body.data.activeClaims.length === 1);
}
