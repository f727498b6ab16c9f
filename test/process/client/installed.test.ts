import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf, documentAt } from '../../support/documents.ts';
import { useReceiver } from '../../support/receiver.ts';

/** What the client needs of the package's dependencies. */
const NEEDED = ['openapi-fetch', 'openapi-typescript-helpers'];
const folder = mkdtempSync(join(tmpdir(), 'paytag-test-client-'));
const receiver = useReceiver();
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: 'utf8' });

/** As npm installs the package: its tarball unpacked under node_modules, where Node strips no types. */
beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename = '' } = {}] = Object.values(JSON.parse(packed) as { filename?: string }[]);
  mkdirSync(join(folder, 'node_modules/paytag'), { recursive: true });
  run('tar', '-xzf', filename, '-C', 'node_modules/paytag', '--strip-components=1');
  for (const name of NEEDED) symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (origin: string) => `
import { createPayTag, createPayTagApplication, PayTagError, verifyWebhook } from 'paytag/client';
const paytag = createPayTag({ baseUrl: '${origin}/v2', clientId: 'c', apiKey: 'k' });
const params = { path: { reference: 'PW-1' } };
const body = { amount: 1500.5, reference: 'salary-7' };
const transaction = await paytag.post('/partner/wallet/{reference}/credit', { params, body });
const status: string = transaction.Status;
const refused = await paytag.customer('t').get('/sso/wallet').catch((error: unknown) => error);
console.log(JSON.stringify([status, refused instanceof PayTagError ? refused.errorCode : '', typeof verifyWebhook]));
export const balanceOf = async (application: ReturnType<typeof createPayTagApplication>): Promise<number> =>
  (await application.get('/v1/wallet')).totalAmount;
`;
const misused = `
import { createPayTag } from 'paytag/client';
const paytag = createPayTag({ baseUrl: '', clientId: 'c', apiKey: 'k' });
// @ts-expect-error there is no such path
await paytag.get('/partner/walet');
// @ts-expect-error the reference is missing
await paytag.get('/partner/wallet/{reference}');
// @ts-expect-error amounts are numbers
await paytag.post('/partner/wallet/{reference}/credit', { params: { path: { reference: 'r' } }, body: { amount: '1', reference: 'r' } });
// @ts-expect-error there is no such member
(await paytag.get('/sso/wallet')).Amunt;
`;

it('is typed where the package is installed, as its guide uses it, and the dependencies of its own are enough', () => {
  writeFileSync(join(folder, 'program.ts'), program(new URL(receiver.url).origin));
  writeFileSync(join(folder, 'misused.ts'), misused);
  writeFileSync(join(folder, 'guide.ts'), blocksOf(documentAt('src/docs/client.md'), 'ts').join(''));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--types', '', '--lib', 'esnext,dom'];
  const checked = spawnSync(
    process.execPath,
    [tsc, ...strict, '--target', 'esnext', '--module', 'nodenext', 'program.ts', 'misused.ts', 'guide.ts'],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(checked).toMatchObject({ stdout: '', status: 0 });
});

it('runs there, where Node strips no types', async () => {
  const headers = { 'content-type': 'application/json' };
  receiver.answer(({ method }) =>
    method === 'POST'
      ? { status: 200, headers, body: '{"Status":"Successful"}' }
      : { status: 401, headers, body: '{"errorCode":"INVALID_TOKEN"}' },
  );
  writeFileSync(join(folder, 'program.ts'), program(new URL(receiver.url).origin));
  const { stdout } = await promisify(execFile)(process.execPath, ['program.ts'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual(['Successful', 'INVALID_TOKEN', 'function']);
});
