import { eventually } from './eventually.ts';
import { type ServerProcess, startServer } from './process.ts';

/** As `npm start` brings it up: the embedded sandbox with its files in `dataDir`, once it has loaded the demo and greeted. */
export async function startSandbox(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ ...env, DATA_DIR: dataDir });
  const hasGreeted = () => {
    if (!server.stdout.includes('npm run tour')) throw new Error(`it has not greeted:\n${server.stdout}`);
  };
  await eventually(hasGreeted);
  return server;
}
