import { expect, it, onTestFinished } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { OPERATOR_TOKEN, serverEnv, startServer } from '../support/process.ts';

const database = useDatabase();
/** Has Node write which files of the operator's surface it loads. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/routes.(operator|console)/.test(url)) process.stderr.write('loaded ' + url);
      return next(url, context);
    },
  });
`)}`;

it.each([{}, { OPERATOR_PORT: '0' }])(
  'a server loads the operator’s surface for the first request to it, and not at its start (%o)',
  async (own) => {
    const env = { ...serverEnv(database.url), ...own, ROLE: 'api' };
    const server = await startServer(env, { flags: ['--import', WATCH] });
    onTestFinished(() => void server.stop());
    const [port = server.port] = operatorPorts(server.stdout);
    expect(server.stderr).not.toContain('loaded ');
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const answer = await fetch(`http://127.0.0.1:${port}/operator/v1/partners`, { headers });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ items: expect.any(Array) })]);
    expect(server.stderr).toContain('routes/operator/get-partners.ts');
    expect(await server.stop()).toBe(0);
  },
);

/** Where it says that it listens beside PORT. */
const operatorPorts = (log: string): number[] =>
  [...log.matchAll(/listening at http:..127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)).slice(0, -1);
