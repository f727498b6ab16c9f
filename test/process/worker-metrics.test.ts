import { expect, it } from 'vitest';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { MASTER_KEY, OPERATOR_TOKEN, ownPort, serverEnv, startServer } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';

const database = useDatabase();
const receiver = useReceiver();
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

it('the metrics of a worker, on a port of its own and nowhere else, count attempts, and hold no secret, id or address; where no traces are sent, nothing that sends them is loaded', async () => {
  const listed = { NODE_OPTIONS: '--require ./test/support/list-modules.cjs' };
  const env = { ...serverEnv(database.url), ...listed, WEBHOOK_BACKOFF_BASE_MS: '1' };
  const metricsPort = await ownPort();
  const metricsOf = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  receiver.answer([500, 'drop']);
  const api = await startServer({ ...env, ROLE: 'api' });
  const worker = await startServer({ ...env, ROLE: 'worker', METRICS_PORT: String(metricsPort) });
  try {
    const call = clientOf(api.url);
    const url = `${receiver.url}?key=planted-in-url`;
    const partner = await remotePartner(call, { name: 'Planted Name', webhookUrl: url, float: 100 });
    const { headers } = partner;
    const person = { firstName: 'Ada', lastName: 'Obi', tag: 'ada', bvn: '22277788899', phone: '08039998877' };
    const made = await call<{ Reference: string }>('POST', '/v2/partner/paytag', { headers, json: person });
    const wallet = made.body.Reference;
    await call('POST', `/v2/partner/wallet/${wallet}/credit`, {
      headers,
      json: { amount: 5, reference: 'planted-ref' },
    });
    await eventually(async () => {
      const text = await metricsOf();
      expect(text).toMatch(/^paytag_webhook_attempts_total\{outcome="delivered"\} 1$/m);
      expect(text).toMatch(/^paytag_webhook_attempts_total\{outcome="status_5xx"\} 1$/m);
      expect(text).toMatch(/^paytag_webhook_attempts_total\{outcome="reset"\} 1$/m);
      expect(text).toMatch(/^paytag_webhook_delivery_duration_seconds_count 1$/m);
    });
    const both = (await metricsOf()) + (await call<string>('GET', '/metrics')).text;
    const secrets = [partner.clientId, partner.apiKey, partner.id, OPERATOR_TOKEN, MASTER_KEY, wallet, database.url];
    for (const secret of [...secrets, ...Object.values(person).slice(3), 'planted', 'Planted', receiver.url]) {
      expect(both).not.toContain(secret);
    }
    expect(both).not.toMatch(UUID);
    expect((await fetch(`${worker.url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${metricsPort}/health/live`)).status).toBe(404);
  } finally {
    await api.stop();
    await worker.stop();
  }
  for (const { stderr } of [api, worker]) {
    expect(stderr).toMatch(/^packages: .*\bprom-client\b/m);
    expect(stderr).not.toContain('@opentelemetry/sdk-trace-base');
  }
});
