import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import type { Answer } from '../../../src/cli/server/send.ts';
import { commandEnvironment } from '../../../src/config/command-environment.ts';

const ORIGIN = 'https://operator.example';
const EVIL = 'Evil\u001b[2J\u009b31m\u202e\u2028\u061c';
const JSON_TYPE = { 'content-type': 'application/json' };

/** What somebody at a terminal, or a script, sees of a command that is answered so. */
async function seenOf(command: string, answer: Partial<Answer>, { isThere = true, env = {} } = {}) {
  const shown = { out: '', err: '', sentTo: [] as string[] };
  const code = await main(command.split(' '), {
    environment: commandEnvironment({ PAYTAG_URL: ORIGIN, PAYTAG_TOKEN: 'op_x', ...env }),
    send: async ({ url }) => {
      shown.sentTo.push(new URL(url).origin);
      return { status: 200, headers: JSON_TYPE, body: '', ...answer };
    },
    terminal: {
      out: (text) => void (shown.out += text),
      err: (text) => void (shown.err += text),
      isInteractive: { in: isThere, out: isThere, err: false },
      columns: 400,
      ask: async () => '',
      readAll: async () => '',
    },
  });
  return { code, ...shown };
}

it('nothing that a server answers does anything to a terminal, as a table, as JSON or as a file; a script gets it as it is', async () => {
  const page = { items: [{ id: '1', name: EVIL, [EVIL]: 'x' }], count: 5, limit: 1, nextCursor: EVIL };
  const json = { body: JSON.stringify(page) };
  const csv = { headers: { 'content-type': 'text/csv; charset=utf-8', link: EVIL }, body: `a,b\r\n${EVIL},"\r"\r\n` };
  for (const shown of [
    await seenOf('partners list', json),
    await seenOf('partners list --json', json),
    await seenOf('transactions list --csv', csv),
    await seenOf('transactions list', { status: 302, headers: { location: EVIL } }),
  ]) {
    const text = shown.out + shown.err;
    expect(text).toContain('\\u009b31m');
    expect(text.replaceAll(/\r?\n/g, '')).toMatch(/^[^\p{C}\u2028]+$/u);
  }
  expect(JSON.parse((await seenOf('partners list --json', json)).out)).toEqual(page);
  expect((await seenOf('transactions list --csv', csv, { isThere: false })).out).toBe(csv.body);
});

it('what answers 200 and is no operator API is said to be none, and a file that is not there to be missing', async () => {
  for (const command of ['partners list', 'partners list --json --all', 'transactions list --csv', 'login']) {
    for (const body of ['<html>Welcome</html>', '', '"x"']) {
      const shown = await seenOf(command, { body, headers: { 'content-type': 'text/html' } });
      expect(shown).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is this its URL?') });
    }
  }
  const missing = await seenOf('reconciliation import --rail INBOUND --format MT940 --file /no/such', {});
  expect(missing).toEqual({ code: 2, out: '', sentTo: [], err: 'error: /no/such cannot be read (ENOENT)\n' });
});

it('a URL with a user or a password is refused, and not printed', async () => {
  for (const url of ['https://ada:hunter2@pay.example', 'https://:hunter2@pay.example']) {
    const shown = await seenOf(`partners list --url ${url}`, {});
    expect(shown).toMatchObject({ code: 2, out: '', err: expect.not.stringContaining('hunter2') });
  }
});

it('a token goes by https, to this machine, or where somebody says that it may go in the clear, and nowhere else', async () => {
  const me = { body: '{"name":"Ada","role":"admin"}' };
  const home = await mkdtemp(join(tmpdir(), 'paytag-test-clear-'));
  const env = { XDG_CONFIG_HOME: home };
  const ask = (command: string) => seenOf(command, me, { isThere: false, env });
  const refused = { code: 2, out: '', sentTo: [], err: expect.stringContaining('in the clear') };
  const away = 'http://pay.example';
  for (const host of [away, 'http://10.0.0.1:3000', 'http://localhost.pay.example', 'http://127.0.0.1.pay.example']) {
    for (const command of ['operators me', 'login'])
      expect(await ask(`${command} --url ${host}`)).toMatchObject(refused);
  }
  for (const here of ['http://localhost:3000', 'http://127.9.9.9', 'http://[::1]:3000', 'https://pay.example']) {
    expect(await ask(`operators me --url ${here}`)).toMatchObject({ code: 0, sentTo: [here] });
  }
  expect(await ask(`operators me --url ${away} --allow-http`)).toMatchObject({ code: 0, sentTo: [away] });
  expect(await ask(`login --url ${away} --profile bare --allow-http`)).toMatchObject({ code: 0 });
  expect(await ask('operators me --profile bare')).toMatchObject({ code: 0, sentTo: [away] });
  await rm(home, { recursive: true });
});

it('a folder with data names a server on this machine alone, whoever wrote it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-data-'));
  const env = { PAYTAG_URL: '', PAYTAG_TOKEN: '', XDG_CONFIG_HOME: folder, DATA_DIR: folder, OPERATOR_TOKEN: 'op_x' };
  const ask = async (url: string) => {
    await writeFile(join(folder, 'server.json'), JSON.stringify({ url, pid: 1 }));
    return seenOf('operators me --allow-http', { body: '{"name":"Ada"}' }, { env });
  };
  for (const url of ['https://evil.example', 'http://evil.example', 'http://127.0.0.1.evil.example', 'nonsense']) {
    expect(await ask(url)).toMatchObject({ code: expect.toBeOneOf([2, 4]), out: '', sentTo: [] });
  }
  const here = 'http://127.0.0.1:3000';
  expect(await ask(here)).toMatchObject({ code: 0, sentTo: [here] });
  await rm(folder, { recursive: true });
});
