import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { ownPort, runToEnd, serverEnv } from '../../support/process.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const database = useDatabase();
let server: ServedHere;

const takeTour = (port: number, env: Record<string, string> = {}) =>
  runToEnd(['src/cli/tour.ts'], { ...serverEnv(database.url), ...env, PORT: String(port), NO_COLOR: '1' });

beforeAll(async () => {
  server = await serveHere(serverEnv(database.url));
});
afterAll(() => server?.stop());

it('runs every chapter twice, also where operators have a port of their own, checks each promise, and ends with the totals', async () => {
  const env = { OPERATOR_PORT: String(await ownPort()) };
  const tours = [await takeTour(server.port)];
  await server.stop();
  server = await serveHere({ ...serverEnv(database.url), ...env });
  tours.push(await takeTour(server.port, env));
  for (const { code, stdout, stderr } of tours) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    const counted = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
    const [chapters, calls, checks] = [counted(/^\d+\. /), counted(/^ {4}→ \d{3} /), counted(/^ {2}✓ /)];
    expect(chapters).toBeGreaterThan(10);
    expect(lines.at(-1)).toMatch(
      new RegExp(`^✓ The whole story: ${chapters} chapters, ${calls} calls, \\d+ webhooks, ${checks} checks passed, `),
    );
    const stories = stdout.split(/^\d+\. /m).slice(1);
    expect(stories.filter((story) => !story.includes('✓'))).toEqual([]);
  }
});

it('says what to do when no server answers, and exits with 1', async () => {
  const port = await ownPort();
  const { code, stderr } = await takeTour(port);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `\nNo server answers (connect ECONNREFUSED 127.0.0.1:${port}): run "npm start" in another terminal first, or give its PORT.\n`,
  });
});
