import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';

const server = useApp();
const paytag = (...args: string[]) =>
  runToEnd(['src/cli/paytag.ts', 'payouts', ...args], serverEnv(server.resources.databaseUrl));

it('payouts are listed, shown and asked about as by the operator API, and marked by nobody alone', async () => {
  const { id, wallet } = await unknownPayout(server);
  const [listed, others] = await Promise.all([
    paytag('list', '--state', 'UNKNOWN', '--wallet', wallet),
    paytag('list', '--contradicted'),
  ]);
  expect(JSON.parse(listed.stdout).items).toMatchObject([
    { id, state: 'UNKNOWN', wallet, accountNumber: '0123456789' },
  ]);
  expect(JSON.parse(others.stdout)).toEqual({ items: [] });
  const verified = await paytag('verify', id, '--reason', 'the partner asks');
  expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('nobody knows what became of a payout') });
  expect(verified.stderr).not.toContain('0123456789');
  const shown = await paytag('show', id);
  expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(verified.stdout));
  expect((await auditOf(server, id)).at(-1)).toMatchObject({
    actor: 'cli',
    action: 'payout.verify',
    reason: 'the partner asks',
  });
  expect(await paytag('mark', id)).toMatchObject({ code: 1, stdout: '' });
  expect(await paytag('list', '--state', 'GONE')).toMatchObject({ code: 1, stdout: '' });
});
