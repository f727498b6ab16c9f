import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ownPort } from '../support/process.ts';

/** A line of what the stand-in for a provider of payouts wrote down before it answered. */
export type JournalLine =
  | { readonly do: 'visit'; readonly at: keyof StandInPlan }
  | {
      readonly do: 'transfer';
      readonly reference: string;
      readonly amount: number;
      readonly recipient: string;
      readonly status: 'success' | 'failed' | 'reversed';
    };

export const transferFates = [
  'kills before',
  'kills after',
  'kills when answered',
  'dies before',
  'dies after',
  'fails before',
  'fails after',
  'says nothing',
  'speaks of another',
  'refuses',
  'asked too often',
  'pays late',
  'does not pay',
  'sends back',
] as const;
export const verifyFates = ['kills', 'dies', 'fails', 'speaks of another'] as const;
export const recipientFates = ['dies'] as const;

/** What happens to each visit in turn; to those after the last, and where there is null: what should. */
export interface StandInPlan {
  recipient: readonly ((typeof recipientFates)[number] | null)[];
  transfer: readonly ((typeof transferFates)[number] | null)[];
  verify: readonly ((typeof verifyFates)[number] | null)[];
}

export interface PayoutStandIn {
  readonly url: string;
  /** How often it died and came back. */
  readonly deaths: number;
  /** What it has written down. */
  read(): JournalLine[];
  close(): Promise<void>;
}

/** Starts the stand-in for a provider, and starts it again whenever it dies. @param onKill it wants our server killed */
export async function startPayoutStandIn(plan: StandInPlan, onKill: () => void): Promise<PayoutStandIn> {
  const folder = mkdtempSync(join(tmpdir(), 'paytag-test-payouts-'));
  const journal = join(folder, 'journal.jsonl');
  const planFile = join(folder, 'plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const port = await ownPort();
  let deaths = 0;
  let isClosed = false;
  let child: ChildProcess | undefined;
  const killWithUs = () => child?.kill('SIGKILL');
  process.once('exit', killWithUs);

  async function start(): Promise<void> {
    const program = fileURLToPath(new URL('paystack-stand-in.ts', import.meta.url));
    const started = spawn(process.execPath, [program, String(port), journal, planFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    started.once('exit', () => {
      if (isClosed) return;
      deaths += 1;
      void start();
    });
    const said = createInterface({ input: started.stdout });
    const isReady = Promise.withResolvers<void>();
    said.on('line', (line) => (line === 'KILL' ? onKill() : isReady.resolve()));
    await isReady.promise;
  }
  await start();

  return {
    url: `http://127.0.0.1:${port}`,
    get deaths() {
      return deaths;
    },
    read: () =>
      readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): JournalLine => JSON.parse(line)),
    async close() {
      isClosed = true;
      process.off('exit', killWithUs);
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true });
    },
  };
}
