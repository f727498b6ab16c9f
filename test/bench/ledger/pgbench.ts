import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SeededAccounts } from './seed-accounts.ts';

const run = promisify(execFile);
const SECONDS = 8;
const CLIENTS = 64;

/** Postings a second when PostgreSQL's own benchmark program calls our posting function, with one posting a call. */
export async function pgbench(
  url: string,
  { partner, floats, wallets }: SeededAccounts,
  hot: boolean,
): Promise<number> {
  const [float = 0] = floats;
  const [wallet = 0] = wallets;
  const script = `
\\set f ${hot ? float : `random(${float}, ${float + floats.length - 1})`}
\\set w random(${wallet}, ${wallet + wallets.length - 1})
\\set r random(1, 9000000000000000)
select * from ledger.post(jsonb_build_array(jsonb_build_object('owner', '${partner}', 'namer', 'PARTNER', 'partner', '${partner}',
  'reference', 'p' || :r::bigint, 'type', 'PARTNER_WALLET_CREDIT', 'requestHash', '00', 'mac', '00', 'amount', 100, 'currency', 'NGN',
  'source', :f::bigint, 'destination', :w::bigint, 'legs', jsonb_build_array(
    jsonb_build_object('account', :f::bigint, 'amount', -100), jsonb_build_object('account', :w::bigint, 'amount', 100)))));
`;
  const folder = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
  const file = join(folder, 'post.sql');
  await writeFile(file, script);
  const flags = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(SECONDS), '-f', file, url];
  const { stdout } = await run('pgbench', flags);
  await rm(folder, { recursive: true });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
