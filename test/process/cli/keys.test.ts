import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';

const database = useDatabase();
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.ts', 'keys', ...args], serverEnv(database.url));

it('what a command ends of our keys is a security event, beside what it prints', async () => {
  expect(await paytag('rotate', '--reason', 'the yearly rotation')).toMatchObject({ code: 0, stderr: '' });
  const [{ kid } = { kid: '' }] = JSON.parse((await paytag('list')).stdout) as { kid: string }[];
  const { code, stdout, stderr } = await paytag('revoke', kid, '--reason', 'found in a backup');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ kid, status: 'REVOKED' });
  expect(JSON.parse(stderr)).toMatchObject({ level: 30, event: 'signing_key_revoked', keyId: kid });
});
