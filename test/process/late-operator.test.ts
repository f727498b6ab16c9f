import { expect, it, onTestFinished } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../support/process.ts';

const database = useDatabase();
/** Has a server write, at SIGUSR2, which files of the operator's surface it has loaded. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { Session } from 'node:inspector';
  process.on('SIGUSR2', () => {
    const session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { url } }) => {
      if (/routes.(operator|console)/.test(url)) process.stderr.write('loaded ' + url + ' ');
    });
    session.post('Debugger.enable', () => process.stderr.write('told'));
    session.disconnect();
  });
`)}`;

/** What it has loaded of them. */
async function loadedBy(server: ServerProcess): Promise<string> {
  const before = server.stderr.length;
  server.child.kill('SIGUSR2');
  await eventually(() => expect(server.stderr.slice(before)).toContain('told'));
  return server.stderr.slice(before);
}

it.each([{}, { OPERATOR_PORT: '0' }])(
  'a server loads the operator’s surface for the first request to it, and not at its start (%o)',
  async (own) => {
    const env = { ...serverEnv(database.url), ...own, ROLE: 'api' };
    const server = await startServer(env, { flags: ['--import', WATCH] });
    onTestFinished(() => void server.stop());
    const [port = server.port] = operatorPorts(server.stdout);
    expect(await loadedBy(server)).toBe('told');
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const answer = await fetch(`http://127.0.0.1:${port}/operator/v1/partners`, { headers });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ items: expect.any(Array) })]);
    expect(await loadedBy(server)).toContain('routes/operator/get-partners.ts');
    expect(await server.stop()).toBe(0);
  },
);

it('a server at localhost has the operator’s surface wherever it listens', async () => {
  const server = await startServer({ ...serverEnv(database.url), HOST: 'localhost', ROLE: 'api' });
  onTestFinished(() => void server.stop());
  const asked = ['127.0.0.1', '[::1]'].map((host) =>
    fetch(`http://${host}:${server.port}/operator/v1/partners`).then(
      ({ status }) => status,
      () => 'nobody there',
    ),
  );
  expect([
    [401, 'nobody there'],
    [401, 401],
  ]).toContainEqual(await Promise.all(asked));
});

/** Where it says that it listens beside PORT. */
const operatorPorts = (log: string): number[] =>
  [...log.matchAll(/listening at http:..127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)).slice(0, -1);
