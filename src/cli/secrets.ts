import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { createOnce } from '#lib/create-once.ts';
import { randomToken } from '#lib/random.ts';
import { newMasterKey } from '../config/generated-secrets.ts';

/** For the database container, which runs as another user: its folder alone protects this password. */
const READABLE = 0o444;
const OWNER_ONLY = 0o400;

/** The names of the database, its owner and its host in docker-compose.yml, and the login that `paytag migrate` makes. */
const DATABASE = { owner: 'paytag', server: 'paytag_server', host: 'postgres', name: 'paytag' };

/** `paytag secrets <folder>`: makes the secrets that docker-compose.yml mounts, before anything else starts. */
export const secretsCommand = (): Command =>
  new Command('secrets')
    .description('make the secrets of a new installation as files; those that exist stay as they are')
    .argument(
      '<folder>',
      'folder for them: server/ is for our processes, owner/ for migrate alone, database/ for PostgreSQL',
    )
    .action(async (folder: string) => {
      const made = await writeSecrets(folder);
      console.log(made.length > 0 ? `made ${made.join(', ')}` : 'all secrets are there already');
    });

/**
 * Makes server/{operator_token,master_key,database_url}, owner/database_url and database/password under `folder`, except
 * those that exist, and returns the names of those it made. None is ever replaced, because a new MASTER_KEY could not decrypt
 * the old data; but for a server/database_url of 0.1.0, which is the owner's: it moves to owner/.
 */
async function writeSecrets(folder: string): Promise<string[]> {
  for (const part of ['server', 'owner', 'database']) await mkdir(join(folder, part), { recursive: true });
  const made: string[] = [];
  const ensure = async (name: string, value: string, mode: number) => {
    if (await createOnce(join(folder, name), `${value}\n`, mode)) made.push(name);
    return (await readFile(join(folder, name), 'utf8')).trim();
  };
  const password = await ensure('database/password', randomToken(), READABLE);
  const { owner, server, host, name } = DATABASE;
  const url = (login: string, secret: string) => `postgresql://${login}:${secret}@${host}:5432/${name}`;
  const earlier = await readFile(join(folder, 'server/database_url'), 'utf8').catch(() => '');
  const isOwners = earlier !== '' && new URL(earlier.trim()).username === owner;
  if (isOwners) {
    await createOnce(join(folder, 'owner/database_url'), earlier, OWNER_ONLY);
    await rm(join(folder, 'server/database_url'));
  }
  await ensure('owner/database_url', url(owner, password), OWNER_ONLY);
  await ensure('server/database_url', url(server, randomToken()), OWNER_ONLY);
  await ensure('server/operator_token', `op_${randomToken()}`, OWNER_ONLY);
  await ensure('server/master_key', newMasterKey(), OWNER_ONLY);
  return made;
}
