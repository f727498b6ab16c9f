import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandEnvironment } from '../../config/command-environment.ts';
import { CommandFailure } from '../terminal.ts';

/** The server that a command calls, and the token that it sends. */
export interface Target {
  /** The origin of the operator API. */
  url: string;
  token: string;
}

/** The options that choose the server. */
interface Given {
  profile?: string | undefined;
  url?: string | undefined;
  /** The token may go over the network in the clear. */
  allowHttp?: boolean | undefined;
}

/** The name of the server on this machine for `--profile`. */
export const LOCAL = 'local';

/**
 * The server of a command: the one of `--profile` or PAYTAG_PROFILE; that of `--url` or PAYTAG_URL, with PAYTAG_TOKEN or the token of a
 * profile with this URL; else the current profile's; else the one on this machine.
 *
 * @throws CommandFailure when there is none, no token for it, or when the token would go over the network in the clear
 */
export async function targetOf(given: Given, environment: CommandEnvironment): Promise<Target> {
  const target = await namedBy(given, environment);
  assertSealed(target.url, target.allowHttp === true || given.allowHttp === true);
  return target;
}

async function namedBy(
  given: Given,
  { url, token, profile, configFolder, local }: CommandEnvironment,
): Promise<Target & { allowHttp?: boolean }> {
  if (given.profile !== undefined && given.url !== undefined) {
    throw new CommandFailure('usage', '--profile and --url each name a server: give one of them');
  }
  const named = given.profile ?? (given.url === undefined ? profile : undefined);
  if (named === LOCAL) return localServer(local);
  if (named !== undefined) {
    const found = (await readProfiles(configFolder)).profiles[named];
    if (found !== undefined) return found;
    throw new CommandFailure('credentials', `there is no profile ${named}: paytag login --profile ${named} --url URL`);
  }
  const asked = given.url ?? url;
  if (asked === undefined && token !== undefined) {
    throw new CommandFailure('usage', 'PAYTAG_TOKEN is given and no server: give PAYTAG_URL or --url, too');
  }
  if (asked === undefined) return currentOrLocal(configFolder, local);
  const origin = originOf(asked);
  if (token !== undefined) return { url: origin, token };
  const { profiles } = await readProfiles(configFolder);
  const known = Object.values(profiles).find((one) => one.url === origin);
  if (known !== undefined) return known;
  throw new CommandFailure('credentials', `there is no token for ${origin}: paytag login --url ${origin}`);
}

async function currentOrLocal(folder: string | undefined, local: CommandEnvironment['local']): Promise<Target> {
  const { current, profiles } = await readProfiles(folder);
  const found = current === undefined ? undefined : profiles[current];
  return found ?? localServer(local);
}

/**
 * The server on this machine: the embedded sandbox records its address in its folder; any other listens on OPERATOR_PORT or PORT. The
 * token is OPERATOR_TOKEN, or the sandbox's own.
 *
 * @throws CommandFailure where the folder names another machine, which must not get the token
 */
export async function localServer({ dataDir, embedded, port, operatorToken }: CommandEnvironment['local']) {
  if (!embedded) {
    if (operatorToken !== undefined) return { url: `http://127.0.0.1:${port}`, token: operatorToken };
    throw new CommandFailure('credentials', 'there is no OPERATOR_TOKEN for the server on this machine: paytag login');
  }
  const { url, operatorUrl = url } = await jsonIn(join(dataDir, 'server.json'));
  if (operatorUrl === undefined) {
    throw new CommandFailure(
      'unreachable',
      `no server is named, and none runs on the data in ${resolve(dataDir)}: paytag login --url URL, or run "npm start" in another terminal`,
    );
  }
  const origin = originOf(operatorUrl);
  if (!isThisMachine(origin)) {
    throw new CommandFailure(
      'credentials',
      `${join(resolve(dataDir), 'server.json')} names ${origin}, which is not this machine: paytag login --url ${origin}`,
    );
  }
  const token = operatorToken ?? (await jsonIn(join(dataDir, 'secrets.json')))['OPERATOR_TOKEN'];
  if (token === undefined) throw new CommandFailure('credentials', `there is no token in ${resolve(dataDir)}`);
  return { url: origin, token };
}

async function jsonIn(file: string): Promise<Record<string, string | undefined>> {
  try {
    return Object(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return {};
  }
}

const isThisMachine = (origin: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);

/**
 * Refuses to send a token in the clear to another machine.
 *
 * @throws CommandFailure unless it is https, this machine, or allowed
 */
export function assertSealed(origin: string, isAllowed: boolean): void {
  if (isAllowed || origin.startsWith('https:') || isThisMachine(origin)) return;
  throw new CommandFailure(
    'usage',
    `a token for ${origin} would go over the network in the clear: use https, or a tunnel to this machine; --allow-http sends it all the same`,
  );
}

/**
 * The origin of a URL, with or without the path of the operator API.
 *
 * @throws CommandFailure for what is no http or https URL
 */
export function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && (parsed.username !== '' || parsed.password !== '')) {
    throw new CommandFailure('usage', 'a URL holds no user and no password: give PAYTAG_TOKEN, or paytag login');
  }
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new CommandFailure('usage', `${url} is no URL of a server, e.g. https://pay.example.com`);
  }
  return parsed.origin;
}

const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;
const OF_OTHERS = 0o077;

/** A server and an operator's token there. */
export interface Profile {
  /** Its origin. */
  url: string;
  token: string;
  /** As the server said at the login. */
  operator: string;
  role: string;
  /** True where the login allowed to send the token in the clear. */
  allowHttp?: boolean;
}

export interface Profiles {
  /** The one that commands use, unless another is named. */
  current?: string;
  profiles: Record<string, Profile>;
}

const fileIn = (folder: string): string => join(folder, 'profiles.json');

/**
 * The profiles of this user.
 *
 * @param folder undefined for a user without a home, who has no profiles
 * @throws CommandFailure when others may read the file, which holds tokens, and when it is damaged
 */
export async function readProfiles(folder: string | undefined): Promise<Profiles> {
  if (folder === undefined) return { profiles: {} };
  const file = fileIn(folder);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return { profiles: {} };
  if ((found.mode & OF_OTHERS) !== 0) {
    throw new CommandFailure('credentials', `others may read the tokens in ${file}: chmod 600 ${file}`);
  }
  const { current, profiles } = readJson(await readFile(file, 'utf8'));
  if (typeof profiles !== 'object' || profiles === null) {
    throw new CommandFailure('credentials', `${file} is damaged: remove it, and log in again with "paytag login"`);
  }
  return { ...(typeof current === 'string' ? { current } : {}), profiles: profiles as Profiles['profiles'] };
}

/** Writes the profiles atomically, for their owner alone to read. */
export async function writeProfiles(folder: string | undefined, profiles: Profiles): Promise<void> {
  if (folder === undefined) {
    throw new CommandFailure('usage', 'there is no folder for profiles: give HOME or XDG_CONFIG_HOME');
  }
  await mkdir(folder, { recursive: true, mode: FOLDER_OWNER_ONLY });
  const file = fileIn(folder);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
  await chmod(draft, OWNER_ONLY);
  await rename(draft, file);
}

function readJson(text: string): { current?: unknown; profiles?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
