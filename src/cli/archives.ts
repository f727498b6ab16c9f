import { mkdir, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { archiveMonths, loadArchive, verifyArchive } from '#modules/archives';
import { reason } from '#wire/text.ts';
import { ACTOR, parseWith } from './arguments.ts';
import { CommandFailure } from './command-failure.ts';
import { sealsIn } from './seals.ts';
import type { Terminal } from './terminal.ts';
import { withResources } from './with-resources.ts';

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, as 2025-11');

interface ArchiveOptions {
  before?: string;
  to?: string;
  reason?: string;
  drop?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** `paytag ledger archive …`: what is done with months of entries that are over. */
export function addArchiveCommands(ledger: Command, terminal: Terminal): void {
  const archive = ledger
    .command('archive')
    .description(
      'close the months before one, oldest first: write their entries into files, hold those against the seals, carry balances on and take the entries off. Ended at any moment, it goes on when it is run again',
    )
    .option('--before <month>', 'the first month that stays, as 2025-11', parseWith(month))
    .option('--to <directory>', 'where the files go: each month gets a directory of its own in it')
    .option('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .option(
      '--drop',
      'drop what was taken off, once its files have been read back again; without it the tables are kept',
    )
    .option('--dry-run', 'say what would be archived, and do nothing')
    .option('--yes', 'do it without asking: it cannot be undone')
    .action(async (given: ArchiveOptions) => runArchive(given, terminal));
  archive
    .command('verify')
    .description(
      'prove an archive, without a database, against a copy of the seals; exit with 1 when it is not what was sealed',
    )
    .argument('<directory>', 'of one month')
    .requiredOption('--seals <file>', 'seals that were kept elsewhere, as for ledger seal verify')
    .option('--keys <file>', 'the public keys that are ours, as /.well-known/jwks.json has them: no other counts')
    .action(runVerify);
  archive
    .command('load')
    .description('read an archive back into a new table by itself, for questions about that month')
    .argument('<directory>', 'of one month')
    .action(async (directory: string) => {
      const { table, entries } = await withResources((resources) => loadArchive(resources, directory), AS_OWNER);
      console.log(`${entries} entries are in ${table}: drop it when you are done.`);
    });
}

/** No server may change what is among the books. */
const AS_OWNER = { asOwner: true };

async function runArchive(given: ArchiveOptions, terminal: Terminal): Promise<void> {
  const { before, to, drop = false, dryRun = false } = given;
  if (before === undefined || to === undefined || given.reason === undefined) {
    throw new CommandFailure('usage', 'Give --before, --to and --reason: see paytag ledger archive --help');
  }
  if (!dryRun) {
    await assertMeant(given, terminal);
    await mkdir(to, { recursive: true });
  }
  const archiving = {
    before,
    directory: to,
    drop,
    dryRun,
    actor: ACTOR,
    reason: given.reason,
    progress: (part: string, step: string) => terminal.err(`${part}: ${step}\n`),
  };
  const parts = await withResources((resources) => archiveMonths(resources, archiving), AS_OWNER);
  const which = parts.length === 0 ? 'nothing' : parts.join(', ');
  console.log(dryRun ? `would be archived: ${which}` : `archived: ${which}`);
}

async function assertMeant({ yes, before }: ArchiveOptions, terminal: Terminal): Promise<void> {
  if (yes === true) return;
  const what = `Closing the months before ${before} cannot be undone: what is older is told by the archive alone.`;
  if (!terminal.isInteractive.in) throw new CommandFailure('usage', `${what} Give --yes when you mean it.`);
  const answer = await terminal.ask(`${what}\nType "yes" to do it: `);
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('usage', 'Nothing was done.');
}

const jwks = z.object({ keys: z.array(z.object({ kid: z.string() })) });

async function runVerify(directory: string, given: { seals: string; keys?: string }): Promise<void> {
  const copy = sealsIn(await readFile(given.seals, 'utf8'));
  const keys = given.keys === undefined ? undefined : jwks.parse(JSON.parse(await readFile(given.keys, 'utf8'))).keys;
  const kids = keys && new Set(keys.map(({ kid }) => kid));
  const { ok, manifest, hours, findings } = await verifyArchive(directory, copy, kids);
  for (const finding of findings) console.log(finding);
  console.log(
    ok
      ? `The archive of ${manifest.part} is as it was sealed: ${manifest.entries} entries of ${manifest.accounts} accounts, in ${hours} sealed hours.`
      : `The archive of ${manifest.part} is NOT as it was sealed.`,
  );
  if (!ok) process.exitCode = 1;
}
