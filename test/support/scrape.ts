import type { TestApp } from './app.ts';

/** Longer than what was read for the metrics stays good. */
const A_WHILE_MS = 30_000;

/** The metrics as they are now: a while later, because they are not computed anew for everybody who asks. */
export async function scrape(server: TestApp): Promise<string> {
  server.clock.advance(A_WHILE_MS);
  return (await server.call('GET', '/metrics')).body;
}
