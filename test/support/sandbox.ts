import { eventually } from './eventually.ts';
import { type ServerProcess, startServer } from './process.ts';

/** As `npm start` brings it up: the embedded sandbox with its files in `dataDir`, once it has greeted. */
export async function startSandbox(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ ...env, DATA_DIR: dataDir });
  await untilGreeted(server);
  return server;
}

/** Waits until the embedded sandbox has said what to try. */
export async function untilGreeted(server: ServerProcess): Promise<void> {
  await eventually(() => {
    if (!server.stdout.includes('npm run tour')) throw new Error(`it has not greeted:\n${server.stdout}`);
  });
}
