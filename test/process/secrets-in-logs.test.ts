import { expect, it } from 'vitest';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { showsCode } from '../support/onboarding.ts';
import { MASTER_KEY, OPERATOR_TOKEN, serverEnv, startServer } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Collector, startCollector } from '../support/served.ts';

const database = useDatabase();

const planted = {
  bvn: '22277788899',
  password: 'planted-Passw0rd-in-a-body',
  wrongPassword: 'planted-wrong-passw0rd',
  phone: '08039998877',
  phoneE164: '+2348039998877',
  email: 'planted.person@example.com',
  address: '12 Planted Close, Yaba',
  firstName: 'Plantedina',
  lastName: 'Plantedson',
  dateOfBirth: '1987-06-05',
  junkCode: 'planted-auth-code-in-a-query',
  junkKey: 'sk_sandbox_planted-api-key-in-a-header',
  junkTag: 'planted-tag-in-a-path',
  comment: 'planted-comment-of-a-credit',
};

/** Short, so that they are looked for by themselves. */
const codes = { otp: '123456', wrongOtp: '918273' };

/** The trace of the caller's that a credit is a part of. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

it('no secret, password, OTP, code, token, BVN, contact or client id is in any log line or span of a whole run, whose requests, statements and webhooks are one trace', async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  receiver.answer([500]);
  const server = await startServer({ ...serverEnv(database.url), LOG_LEVEL: 'trace', ...traced(collector.url) });
  const call = clientOf(server.url);
  const partner = await remotePartner(call, {
    name: 'Acme',
    webhookUrl: `${receiver.url}?key=planted-in-webhook-url`,
    float: 100,
  });
  const { headers } = partner;

  const person = { tag: 'ada', ...planted, ...codes };
  const made = await call<{ Reference: string }>('POST', '/v2/partner/paytag', { headers, json: person });
  expect(made.status).toBe(200);
  await call('POST', `/v2/partner/paytag/bvn/${planted.bvn}`, { headers });
  await call('POST', '/v2/partner/paytag', { headers, json: person }); // refused: taken
  const started = await call<{ session: string }>('POST', '/v2/sso/create-tag', { headers, json: person });
  const { session } = started.body;
  await call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers });
  await call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: codes.wrongOtp } });
  await call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: codes.otp } });
  const completion = { paytag: 'ada', password: planted.password };
  const completed = await call('POST', `/v2/sso/create-tag/${session}/complete`, { headers, json: completion });
  expect(completed.status).toBe(200);
  await call('POST', '/v2/sso/auth-code', { headers, json: { paytag: 'ada', password: planted.wrongPassword } });
  const redirect = await call<string>('POST', '/v2/sso/auth-code', { headers, json: completion });
  const code = new URL(redirect.text).searchParams.get('auth-code') ?? '';
  const token = await call<string>('GET', `/v2/sso/token?auth-code=${code}`, { headers });
  expect(token.status).toBe(200);
  await call('GET', `/v2/sso/token?auth-code=${planted.junkCode}`, { headers });
  await call('GET', '/v2/sso/wallet', { headers: { ...headers, authorization: `Bearer ${token.text}` } });
  await call('GET', '/v2/sso/wallet', { headers: { ...headers, 'x-api-key': planted.junkKey } });
  await call('GET', '/v2/sso/wallet', { headers: { ...headers, authorization: `Bearer ${token.text}x` } });
  await call('GET', `/api/v1/tags/${planted.junkTag}`, { headers: { authorization: `Bearer ${planted.junkKey}` } });
  await call('GET', '/operator/v1/partners', { headers: { authorization: `Bearer ${planted.junkKey}` } });
  await call('GET', `/v2/nothing/${planted.junkCode}?token=${token.text}`);
  const movement = { amount: 5, reference: 'r1', comment: planted.comment };
  await call('POST', `/v2/partner/wallet/${made.body.Reference}/credit`, {
    headers: { ...headers, traceparent: `00-${TRACE}-${CALLER}-01` },
    json: movement,
  });
  await receiver.waitFor(() => receiver.requests.length >= 2);
  const application = await call<{ data: Record<string, string> }>('POST', '/api/v1/applications', {
    json: { applicationName: 'Market', email: planted.email },
  });
  const { client_id = '', client_secret = '' } = application.body.data;
  const issued = await call<{ access_token: string }>('POST', '/api/v1/auth/token', {
    form: { client_id, client_secret },
  });
  await call('POST', '/api/v1/auth/token', { form: { client_id, client_secret: planted.junkKey } });
  await server.stop();
  await receiver.close();
  await collector.close();

  const secrets = {
    ...planted,
    session,
    code,
    token: token.text,
    clientId: partner.clientId,
    apiKey: partner.apiKey,
    webhookSecret: 'whsec_',
    webhookUrl: 'planted-in-webhook-url',
    applicationClientId: client_id,
    applicationSecret: client_secret,
    applicationToken: issued.body.access_token,
    operatorToken: OPERATOR_TOKEN,
    masterKey: MASTER_KEY,
    databasePassword: decodeURIComponent(new URL(database.url).password),
  };
  expectOneTrace(collector, receiver);
  expect(server.stdout).toMatch(
    new RegExp(`"trace_id":"${TRACE}","span_id":"[0-9a-f]{16}".*"event":"request.answered"`),
  );
  const written = server.stdout + server.stderr + collector.received;
  expect(written).toContain('"route":"/v2/sso/token"');
  expect(written).toContain('webhook attempt');
  const events = new Set([...written.matchAll(/"event":"(\w+)"/g)].map(([, event]) => event));
  const refusals = ['login_failed', 'otp_wrong', 'auth_code_refused', 'credentials_refused', 'token_refused'];
  expect(events).toEqual(new Set([...refusals, 'operator_token_refused', 'api_key_added']));
  const found = Object.entries(secrets).filter(([, secret]) => secret === '' || written.includes(secret));
  expect(found).toEqual([]);
  expect(Object.entries(codes).filter(([, digits]) => showsCode(written, digits))).toEqual([]);
});

/** Variables of a server that sends its traces, soon. */
const traced = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=payments',
  OTEL_BSP_SCHEDULE_DELAY: '200',
});

/** The caller's span, our request's in it, its statements' in that, and the webhook's, which goes on to the receiver. */
function expectOneTrace({ spans, resources }: Collector, { requests }: Receiver): void {
  const ours = spans.filter(({ traceId }) => traceId === TRACE);
  const request = ours.find(({ parentSpanId }) => parentSpanId === CALLER);
  expect(request).toMatchObject({
    name: 'POST /v2/partner/wallet/:reference/credit',
    attributes: { 'http.response.status_code': 200, 'http.request.method': 'POST' },
  });
  const posting = ours.find(({ name, parentSpanId }) => name === 'ledger.post' && parentSpanId === request?.spanId);
  const statement = ours.find(({ parentSpanId }) => parentSpanId === posting?.spanId);
  expect(statement?.attributes).toMatchObject({
    'db.system.name': 'postgresql',
    'db.query.summary': 'ledger.post-traced',
  });
  const attempts = ours.filter(({ name }) => name === 'webhook attempt');
  expect(attempts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([500, 200]);
  expect(new Set(attempts.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([posting?.spanId]));
  const sent = requests.map(({ headers }) => headers['traceparent']).filter((header) => String(header).includes(TRACE));
  expect(new Set(sent.map((header) => String(header).slice(0, 36)))).toEqual(new Set([`00-${TRACE}-`]));
  expect(sent).toHaveLength(attempts.length);
  expect(resources[0]).toMatchObject({
    'service.name': 'paytag',
    'service.namespace': 'payments',
    'paytag.role': 'all',
  });
}
