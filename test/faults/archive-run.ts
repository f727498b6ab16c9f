import { createInterface } from 'node:readline';
import { systemClock } from '#lib/clock.ts';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { archiveMonths } from '#modules/archives';

/** Archives months, says each step, and waits before the next until it is told to go on. */
const [, , databaseUrl = '', before = '', directory = ''] = process.argv;
const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const keyring = createKeyring(Buffer.alloc(32, 7));
const parts = await archiveMonths(
  { databaseUrl, keyring, clock: systemClock },
  {
    before,
    directory,
    drop: true,
    dryRun: false,
    actor: 'cli',
    reason: 'closed',
    async progress(part, step) {
      process.stdout.write(`${part}: ${step}\n`);
      await told.next();
    },
  },
);
process.stdout.write(`done: ${parts.join()}\n`);
process.exit(0);
