import { type Rule, roomOf } from './source.ts';

const RUN_AT_ONCE =
  /\btx\s*\.\s*(select|insert|update|delete|execute)\b|\bawait\s+db\s*\.\s*(select|insert|update|delete|execute)\b|\bpool\s*\.\s*query\b/;

/** Whether code sends a statement that it builds each time. */
export const buildsAsItRuns = (code: string): boolean => RUN_AT_ONCE.test(code);

const START = 'as a program starts, or keys are exchanged';
const COMMAND = 'a command of the operator, once a month';
const WORKER = 'the worker runs it, or a check of all the books does';
const GATHERED = 'one statement for many callers, named where it is sent';

/** Files in which statements are built as they run, and why. */
export const unprepared: Readonly<Record<string, string>> = {
  'src/modules/archives/store.ts': COMMAND,
  'src/modules/customers/contact-change-store.ts': WORKER,
  'src/modules/data-keys/sealed-values.ts': START,
  'src/modules/data-keys/store.ts': START,
  'src/modules/installation/server-role.ts': START,
  'src/modules/installation/stamp-installation.ts': START,
  'src/modules/ledger/apply-deferred.ts': WORKER,
  'src/modules/ledger/close-month.ts': COMMAND,
  'src/modules/ledger/make-months.ts': WORKER,
  'src/lib/gathered-calls.ts': GATHERED,
  'src/modules/ledger/holds.ts': WORKER,
  'src/modules/ledger/pending.ts': WORKER,
  'src/modules/notices/store.ts': WORKER,
  'src/modules/outbox/store.ts': WORKER,
  'src/modules/seals/store.ts': WORKER,
  'src/modules/webhooks/claim-deliveries.ts': WORKER,
  'src/modules/webhooks/episode-store.ts': WORKER,
  'src/modules/webhooks/pause-store.ts': WORKER,
  'src/modules/webhooks/purge-store.ts': WORKER,
  'src/modules/webhooks/hand-back.ts': WORKER,
  'src/modules/webhooks/record-attempts.ts': WORKER,
  'src/modules/webhooks/untold-store.ts': WORKER,
  'src/modules/webhooks/waiting-range.ts': WORKER,
};

/**
 * A statement of a request is built once and prepared (`lib/prepared.ts`): building one costs more than running it. What operations
 * send without a name all the same, `test/guards/named-statements.test.ts` sees.
 */
export const statementsArePrepared: Rule = (sources) =>
  sources
    .filter(({ path, code }) => roomOf(path) !== undefined && buildsAsItRuns(code))
    .filter(({ path }) => !(path in unprepared))
    .map(({ path }) => `${path} builds a statement as it runs: make it one of lib/prepared.ts`);
