import { mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { createOnce } from '#lib/files.ts';
import { createLog } from '#lib/log.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { randomToken } from '#lib/random.ts';
import { assertServerRole } from '#modules/keys';
import type { Config } from '../config/config.ts';
import { exampleOf } from '../config/example.ts';
import { checkConfig, newMasterKey } from '../config/load-config.ts';
import { variables } from '../config/variables.ts';
import { prepareDatabase } from '../prepare-database.ts';

/** `paytag config check` checks the variables as a server does, without a start; `config example` prints a `.env`. */
export const addConfigCommands = (config: Command): Command =>
  config
    .description('check the configuration, or print an example')
    .addCommand(checkCommand())
    .addCommand(exampleCommand());

const exampleCommand = (): Command =>
  new Command('example')
    .description(
      'print a .env: every variable that must be set, with where its value comes from, then the others with their defaults',
    )
    .addArgument(
      new Argument('<environment>', 'environment of the example').choices(variables.shape.ENVIRONMENT.options),
    )
    .action((environment: Config['environment']) => console.log(exampleOf(environment)));

const checkCommand = (): Command =>
  new Command('check')
    .description('name every variable that is missing, unknown or not valid, and exit with 1 if there is one')
    .option('--database', 'check the database of DATABASE_URL too, as a server does at its start')
    .action(async (options: { database?: boolean }) => {
      const config = await checkConfig();
      if (options.database === true && config.databaseUrl !== undefined)
        await checkDatabase(config, config.databaseUrl);
      console.log(`the configuration is valid: ${config.environment}, role ${config.role}`);
    });

/** @throws InstallationMismatch for another installation's database, pending migrations, and in live for a role with too many rights */
async function checkDatabase(config: Config, url: string): Promise<void> {
  await prepareDatabase({ url, ownerUrl: undefined }, { ...config, migrate: 'never' });
  const { db, ...database } = openDatabase(config.databaseDirectUrl ?? url, 1, () => undefined);
  try {
    await assertServerRole(db, config.environment, createLog('warn'));
  } finally {
    await database.close();
  }
}

/** `paytag migrate`: applies the pending migrations and stamps the database with its environment. */
export const migrateCommand = (): Command =>
  new Command('migrate')
    .description(
      'apply the pending migrations, as the owner of the tables; create the server’s login and grant its rights',
    )
    .action(async () => {
      const { withResources } = await import('./with-resources.ts'); // loads the server, which "secrets" need not
      await withResources(async ({ environment }) => console.log(`the ${environment} database is up to date`), {
        migrate: true,
      });
    });

/** For the containers of the stores, which run as other users: only the folders protect these files. */
const READABLE = 0o444;
const OWNER_ONLY = 0o400;

/** The names of the database, its owner and its socket in docker-compose.yml, and the login that `paytag migrate` makes. */
const DATABASE = { owner: 'paytag', server: 'paytag_server', socket: '/var/run/postgresql', name: 'paytag' };
/** Logins need a password, over the socket or from the database's own container. */
const PG_HBA = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256';
const FOLDERS = ['server', 'operator', 'owner', 'database', 'redis'];

/** `paytag secrets <folder>`: creates the secrets that docker-compose.yml mounts, before anything else starts. */
export const secretsCommand = (): Command =>
  new Command('secrets')
    .description('create the secrets of a new installation as files; existing ones are kept')
    .argument(
      '<folder>',
      'their folder: server/ is for our processes, operator/ for the API, owner/ for migrate alone, database/ and redis/ for the stores',
    )
    .action(async (folder: string) => {
      const made = await writeSecrets(folder);
      console.log(made.length > 0 ? `created ${made.join(', ')}` : 'all secrets exist already');
    });

/**
 * Creates the missing secrets under `folder`, and returns their names. None is ever replaced: a new MASTER_KEY could not decrypt the old
 * data. The owner's login and the operator's token, which 0.1.0 gave to every process, move to folders of their own.
 */
async function writeSecrets(folder: string): Promise<string[]> {
  for (const part of FOLDERS) await mkdir(join(folder, part), { recursive: true });
  const made: string[] = [];
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const ensure = async (name: string, value: string, mode: number) => {
    if (await createOnce(join(folder, name), `${value}\n`, mode)) made.push(name);
    return read(name);
  };
  /** Each folder is a volume, so a file cannot be renamed from one to another. */
  const move = async (from: string, to: string) => {
    const text = await read(from).catch(() => undefined);
    if (text === undefined) return;
    await replace(join(folder, to), text);
    await unlink(join(folder, from));
  };

  /** The password that our servers already use, for a store whose own volume was lost. */
  const passwordIn = async (name: string) => {
    const url = await read(name).catch(() => '');
    return (url !== '' && new URL(url).password) || randomToken();
  };

  const earlier = await read('server/database_url').catch(() => '');
  if (earlier !== '' && new URL(earlier).username === DATABASE.owner) {
    await move('server/database_url', 'owner/database_url');
  }
  await move('server/operator_token', 'operator/operator_token');

  const password = await ensure('database/password', await passwordIn('owner/database_url'), READABLE);
  await ensure('database/pg_hba.conf', PG_HBA, READABLE);
  const { owner, server } = DATABASE;
  for (const [name, url] of [
    ['owner/database_url', urlOf(owner, password)],
    ['server/database_url', urlOf(server, randomToken())],
  ] as const) {
    await overSocket(join(folder, name), await ensure(name, url, OWNER_ONLY));
  }
  const redisPassword = await ensure('redis/password', await passwordIn('server/redis_url'), READABLE);
  await ensure('redis/redis.conf', `requirepass ${redisPassword}`, READABLE);
  await ensure('server/redis_url', `redis://:${redisPassword}@redis:6379`, OWNER_ONLY);
  await ensure('operator/operator_token', `op_${randomToken()}`, OWNER_ONLY);
  await ensure('server/master_key', newMasterKey(), OWNER_ONLY);
  return made;
}

const urlOf = (login: string, password: string): string =>
  `postgresql://${login}:${password}@${encodeURIComponent(DATABASE.socket)}/${DATABASE.name}`;

/** Replaces an earlier version's URL over the network (host `postgres`) by the socket, with the same login. */
async function overSocket(file: string, text: string): Promise<void> {
  const { hostname, username, password } = new URL(text);
  if (hostname === 'postgres') await replace(file, urlOf(username, password));
}

async function replace(file: string, text: string): Promise<void> {
  await rm(`${file}.new`, { force: true }); // of a run that was killed; the file is read-only
  await writeFile(`${file}.new`, `${text}\n`, { mode: OWNER_ONLY });
  await rename(`${file}.new`, file); // readers never see half of it
}
