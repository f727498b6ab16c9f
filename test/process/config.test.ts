import { expect, test } from 'vitest';
import { runToEnd } from '../support/process.ts';

test.each([
  [{ PORT: '99999' }, 'PORT is not valid: must be a whole number from 0 to 65535 (port to listen on)'],
  [{ WEBHOOK_TIMEOUT: '5' }, 'WEBHOOK_TIMEOUT is not a variable of this server: correct its name or remove it'],
])('%o ends the process with exit code 1 and one clear line', async (env, line) => {
  expect(await runToEnd(['src/server.ts'], env)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});
