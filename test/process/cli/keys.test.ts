import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';

const database = useDatabase();

it('the keys that seal are exchanged with the owner’s login alone, and a command without it says so', async () => {
  const rewrap = ['src/cli/paytag.js', 'keys', 'rewrap', '--reason', 'the yearly change'];
  expect(await runToEnd(rewrap, serverEnv(database.url))).toEqual({
    code: 1,
    stdout: '',
    stderr: 'this needs the login of the owner of the tables: give it as DATABASE_OWNER_URL\n',
  });
  const env = { ...serverEnv(database.url), DATABASE_OWNER_URL: database.ownerUrl };
  expect(await runToEnd(rewrap, env)).toMatchObject({ code: 0, stderr: '' });
});
