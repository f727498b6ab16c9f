import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownPort, runToEnd, serverEnv } from '../support/process.ts';
import { liveEnv } from '../support/variables.ts';

const wrong = { PORT: '99999', FEE_TRANSFER: 'much', WEBHOOK_TIMEOUT: '5' };
const lines = [
  'PORT is not valid: must be a whole number from 0 to 65535 (port to listen on)',
  'FEE_TRANSFER is not valid: must be a charge, e.g. 25, 1.5% or 1.5%+100<=2000>=10000 (fee of a transfer between PayTags, paid by the sender)',
  'WEBHOOK_TIMEOUT is not a variable of this server: correct its name or remove it',
  '',
].join('\n');

test.each([['src/server.ts'], ['src/cli/paytag.js config check'], ['src/cli/paytag.js ledger check --database']])(
  '%s ends with exit code 1 and names all that is wrong, each on a line',
  async (program) => {
    expect(await runToEnd(program.split(' '), wrong)).toEqual({ code: 1, stdout: '', stderr: lines });
  },
);

test('`config check` of what is right says so and makes nothing, neither shows it a secret', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paytag-test-check-'));
  const check = (env: Record<string, string>) => runToEnd(['src/cli/paytag.js', 'config', 'check'], env);
  const embedded = { code: 0, stdout: 'the configuration is valid: sandbox, role all\n', stderr: '' };
  expect(await check({ DATA_DIR: dataDir })).toEqual(embedded);
  expect(await readdir(dataDir)).toEqual([]);
  await rm(dataDir, { recursive: true });
  const live = { ...liveEnv, DATABASE_URL: 'postgresql://server:pass@127.0.0.1:1/paytag', ROLE: 'worker' };
  expect(await check(live)).toEqual({ ...embedded, stdout: 'the configuration is valid: live, role worker\n' });
});

test('a port that another process has is named by its variable', async () => {
  const port = String(await ownPort());
  const { code, stderr } = await runToEnd(['src/server.ts'], {
    ...serverEnv('postgresql://x@127.0.0.1:1/x'),
    PORT: port,
    METRICS_PORT: port,
  });
  expect([code, stderr]).toEqual([
    1,
    'METRICS_PORT is not valid: must be another port than PORT and OPERATOR_PORT (port of the metrics; without it they are on the main port; required in live)\n',
  ]);
});

test('`.env` is read by the npm scripts that start a program, and what the environment has wins', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const reading = Object.keys(scripts).filter((name) => scripts[name]?.includes('--import ./src/config/env-file.js'));
  expect(reading).toEqual(['start', 'dev', 'tour', 'paytag']);

  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-env-'));
  const script = 'console.log([process.env.PORT, process.env.HOST, process.env.DATA_DIR].join())';
  const run = async () => {
    const args = ['--import', resolve('src/config/env-file.js'), '-e', script];
    return promisify(execFile)(process.execPath, args, { cwd: folder, env: { HOST: '', PORT: '1' } });
  };
  expect(await run()).toEqual({ stdout: '1,,\n', stderr: '' });
  await writeFile(join(folder, '.env'), '# of mine\nPORT=2\nHOST=10.0.0.1\nDATA_DIR="/srv/pay tag"\n');
  expect(await run()).toEqual({ stdout: '1,,/srv/pay tag\n', stderr: '' });
  await rm(folder, { recursive: true });
});
