import type { Command } from 'commander';
import type { CommandEnvironment } from '../../config/command-environment.ts';
import type { Terminal } from '../terminal.ts';
import { CommandFailure } from '../terminal.ts';
import type { CommandDeps } from './run-operation.ts';
import { isJsonObject, refusalOf } from './send.ts';
import { seen, tableOf } from './table.ts';
import { assertSealed, LOCAL, localServer, originOf, readProfiles, writeProfiles } from './target.ts';

const DEFAULT = 'default';
const TIMEOUT_MS = 10_000;

interface LoginOptions {
  url?: string;
  profile: string;
  allowHttp?: boolean;
}

interface Me {
  name: string;
  role: string;
}

/** `paytag login`: saves a server's URL and an operator's token, once the server has accepted them. */
export function addLogin(program: Command, deps: CommandDeps): void {
  program
    .command('login')
    .description(
      'save the URL of a server and your token there, for later commands. The token is asked for without echo, or read from standard input or PAYTAG_TOKEN',
    )
    .option('--url <url>', 'the server, e.g. https://pay.example.com')
    .option('--profile <name>', 'name of this server, if you have several', DEFAULT)
    .option('--allow-http', 'send the token to another machine in the clear, now and with this profile')
    .action(async (given: LoginOptions) => logIn(given, deps));
}

async function logIn({ url, profile, allowHttp = false }: LoginOptions, deps: CommandDeps): Promise<void> {
  const { terminal, environment, send } = deps;
  if (!/^[a-z0-9][a-z0-9._-]{0,40}$/.test(profile) || profile === LOCAL) {
    throw new CommandFailure('usage', `a profile cannot be called ${profile}`);
  }
  const saved = await readProfiles(environment.configFolder);
  const origin = originOf(url ?? environment.url ?? saved.profiles[profile]?.url ?? (await askForUrl(deps)));
  assertSealed(origin, allowHttp);
  const token = environment.token ?? (await readToken(origin, terminal));
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CommandFailure('usage', 'no token was given');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const ask = { method: 'GET', url: `${origin}/operator/v1/operators/me`, headers, body: undefined };
  const answer = await send({ ...ask, timeoutMs: TIMEOUT_MS }, true);
  if (answer.status !== 200 || !isJsonObject(answer.body)) throw await refusalOf(answer, { url: origin });
  const { name, role } = JSON.parse(answer.body) as Me;
  const profiles = { ...saved.profiles, [profile]: { url: origin, token, operator: name, role, allowHttp } };
  await writeProfiles(environment.configFolder, { current: profile, profiles });
  terminal.out(`Logged in to ${origin} as ${seen(name)} (${seen(role)}).\n`);
}

async function askForUrl({ terminal, environment }: CommandDeps): Promise<string> {
  const local = await localServer(environment.local).catch(() => undefined);
  if (!terminal.isInteractive.in) throw new CommandFailure('usage', 'which server? give --url or PAYTAG_URL');
  const given = await terminal.ask(`URL of the server${local === undefined ? '' : ` [${local.url}]`}: `);
  return given.trim() === '' ? (local?.url ?? '') : given.trim();
}

const readToken = async (origin: string, terminal: Terminal): Promise<string> =>
  terminal.isInteractive.in
    ? (await terminal.ask(`Token of an operator at ${origin} (not shown): `, { hidden: true })).trim()
    : (await terminal.readAll()).trim();

/** `paytag logout`: forgets a token. */
export function addLogout(program: Command, { terminal, environment }: CommandDeps): void {
  program
    .command('logout')
    .description(
      'forget a profile and its token. The token stays valid until it expires: "paytag operators rotate" ends it',
    )
    .option('--profile <name>', 'which one; without it the current one')
    .action(async ({ profile }: { profile?: string }) => {
      const { current, profiles } = await readProfiles(environment.configFolder);
      const name = profile ?? current ?? DEFAULT;
      const { [name]: gone, ...others } = profiles;
      if (gone === undefined) throw new CommandFailure('usage', `there is no profile ${name}`);
      await writeProfiles(environment.configFolder, {
        ...(current === undefined || current === name ? {} : { current }),
        profiles: others,
      });
      terminal.out(`Forgot ${name} (${gone.url}).\n`);
    });
}

/** `paytag profiles` and `paytag profiles use`. */
export function addProfiles(program: Command, { terminal, environment }: CommandDeps): void {
  const profiles = program
    .command('profiles')
    .description('list the servers you have logged in to')
    .action(() => list(environment, terminal));
  profiles
    .command('use')
    .description('choose the server that commands call by default')
    .argument('<name>', `its name; "${LOCAL}" is the server on this machine`)
    .action(async (name: string) => {
      const saved = await readProfiles(environment.configFolder);
      if (name !== LOCAL && saved.profiles[name] === undefined) {
        throw new CommandFailure('usage', `there is no profile ${name}`);
      }
      await writeProfiles(environment.configFolder, {
        ...(name === LOCAL ? {} : { current: name }),
        profiles: saved.profiles,
      });
      terminal.out(`Commands call ${saved.profiles[name]?.url ?? 'the server on this machine'} now.\n`);
    });
}

async function list({ configFolder }: CommandEnvironment, terminal: Terminal): Promise<void> {
  const { current, profiles } = await readProfiles(configFolder);
  const rows = Object.entries(profiles).map(([name, { url, operator, role }]) => {
    return { current: name === current ? '*' : ' ', name, url, operator, role };
  });
  const here = { current: current === undefined ? '*' : ' ', name: LOCAL, url: 'the server on this machine' };
  const columns = ['current', 'name', 'url', 'operator', 'role'].map((name) => ({ name, kind: 'text' as const }));
  terminal.out(tableOf(columns, [here, ...rows], { width: undefined, utc: false }).text);
}
