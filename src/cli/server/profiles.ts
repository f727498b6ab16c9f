import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure } from '../command-failure.ts';

const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;
const OF_OTHERS = 0o077;

/** A server, and who somebody is there. */
export interface Profile {
  /** Its origin. */
  url: string;
  token: string;
  /** As the server said at the login. */
  operator: string;
  role: string;
  /** True where whoever logged in said that the token may go there in the clear. */
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
 * @param folder undefined for somebody without a home, who has none
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
  const { current, profiles } = parsed(await readFile(file, 'utf8'));
  if (typeof profiles !== 'object' || profiles === null) {
    throw new CommandFailure('credentials', `${file} is damaged: remove it, and log in again with "paytag login"`);
  }
  return { ...(typeof current === 'string' ? { current } : {}), profiles: profiles as Profiles['profiles'] };
}

/** Writes them at once, for their owner alone to read. */
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

function parsed(text: string): { current?: unknown; profiles?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
