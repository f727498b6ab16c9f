import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';

const server = useApp();
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.ts', ...args], serverEnv(server.resources.databaseUrl));

it('webhooks replay does what the operator API does, after a dry run, audited as the command line’s', async () => {
  const { partner } = await partnerWithEvents(server);
  await endAll(server.resources.pool, 'status 503');
  const filter = ['--partner', partner.id, '--error', 'status 5xx', '--from', '2026-01-01T00:00:00Z'];
  const dry = await paytag('webhooks', 'replay', ...filter, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, matched: 2, replayed: 0, left: 2 });
  const done = await paytag('webhooks', 'replay', ...filter, '--event', 'wallet.debited', '--reason', 'their outage');
  expect(JSON.parse(done.stdout)).toMatchObject({ dryRun: false, matched: 1, replayed: 1, left: 0 });
  expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
    actor: 'cli',
    action: 'delivery.replay',
    reason: 'their outage',
  });
});

it('webhooks pause and resume stop a receiver and start it again', async () => {
  const { partner } = await partnerWithEvents(server);
  const paused = await paytag('webhooks', 'pause', partner.id, '--reason', 'a complaint');
  expect(paused).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(paused.stdout)).toMatchObject({ status: 'PAUSED', pauseReason: 'a complaint', pending: 2 });
  const resumed = await paytag('webhooks', 'resume', partner.id);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'ACTIVE', pending: 2 });
});

it('an invalid or unknown argument is a line on standard error and exit code 1', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000';
  const unknown = await paytag('webhooks', 'pause', nobody, '--reason', 'asked');
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^RECEIVER_NOT_FOUND: /) });
  for (const args of [
    ['--partner', 'acme'],
    ['--partner', nobody, '--application', nobody],
    ['--from', 'yesterday'],
    ['--status', 'PENDING'],
  ]) {
    expect(await paytag('webhooks', 'replay', ...args)).toMatchObject({ code: 1, stdout: '' });
  }
});
