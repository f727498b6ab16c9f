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

it('the keys that seal are exchanged with the owner’s login alone, and a command without it says so', async () => {
  const rewrap = ['src/cli/paytag.ts', 'keys', 'rewrap', '--reason', 'the yearly change'];
  expect(await runToEnd(rewrap, serverEnv(database.url))).toEqual({
    code: 1,
    stdout: '',
    stderr: 'this needs the login of the owner of the tables: give it as DATABASE_OWNER_URL\n',
  });
  const env = { ...serverEnv(database.url), DATABASE_OWNER_URL: database.ownerUrl };
  expect(await runToEnd(rewrap, env)).toMatchObject({ code: 0, stderr: '' });
});
