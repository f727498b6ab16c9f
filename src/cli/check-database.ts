import type { IntegrityCheck } from '#modules/proof';
import { exitCodes } from './command-failure.ts';
import { printChecks } from './server/answers.ts';
import type { Terminal } from './terminal.ts';
import { withResources } from './with-resources.ts';

/**
 * `paytag ledger check --database`: checks the books of the database of this installation without a server, and prints them as the
 * server's answer is printed; with `--whole` of everything, however long it takes.
 *
 * @returns the exit code
 */
export async function checkDatabase(
  { since, whole, json }: { since?: string; whole?: boolean; json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { ok, checks } = await withResources(({ checker }) =>
    checker.check(since === undefined ? undefined : new Date(since), { isUnbounded: whole === true }),
  );
  const body = { ok, checks: checks.map(toCheck) };
  if (json === true) terminal.out(`${JSON.stringify(body)}\n`);
  else printChecks(body, terminal);
  return ok ? exitCodes.done : exitCodes.refused;
}

const toCheck = ({ name, promise, violations, rows, timedOut, remembered, error }: IntegrityCheck) => {
  const months = remembered && { months: remembered.slices, since: remembered.since };
  return { name, promise, violations, offenders: rows, timedOut, remembered: months, error };
};
