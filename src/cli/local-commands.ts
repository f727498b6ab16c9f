import type { Command } from 'commander';
import type { CommandDeps } from './server/run-operation.ts';

/** A command that is none of the operator API's. It is loaded when it is asked for: its room may take a while. */
export interface LocalCommand {
  /** The words of its name. */
  words: string;
  summary: string;
  /** Adds it, with those of its kind, to the command that it stands under, or else to the program. */
  add: (parent: Command, deps: CommandDeps) => Promise<void>;
}

const addConfig: LocalCommand['add'] = async (parent) => void (await import('./config.ts')).addConfigCommands(parent);
const addSeals: LocalCommand['add'] = async (parent) => (await import('./seals.ts')).addSealCommands(parent);
const addDataKeys: LocalCommand['add'] = async (parent) => (await import('./data-keys.ts')).addDataKeyCommands(parent);
const addProfiles: LocalCommand['add'] = async (parent, deps) =>
  (await import('./server/login.ts')).addProfiles(parent, deps);

/** All of them, in the order of the help. */
export const localCommands: readonly LocalCommand[] = [
  {
    words: 'login',
    summary: 'keep the URL of a server and your token there',
    add: async (program, deps) => (await import('./server/login.ts')).addLogin(program, deps),
  },
  {
    words: 'logout',
    summary: 'forget a server and the token',
    add: async (program, deps) => (await import('./server/login.ts')).addLogout(program, deps),
  },
  { words: 'profiles', summary: 'list the servers you have logged in to', add: addProfiles },
  { words: 'profiles use', summary: 'have commands talk to another of them', add: addProfiles },
  {
    words: 'completion',
    summary: 'print what completes commands in bash, zsh or fish',
    add: async (program, { terminal }) => (await import('./completion-scripts.ts')).addCompletion(program, terminal),
  },
  {
    words: 'migrate',
    summary: 'apply the pending migrations, as the owner of the tables',
    add: async (program) => void program.addCommand((await import('./migrate.ts')).migrateCommand()),
  },
  { words: 'config check', summary: 'name what a server would refuse in its variables', add: addConfig },
  { words: 'config example', summary: 'print a .env for live, staging or the sandbox', add: addConfig },
  {
    words: 'health',
    summary: 'ask the server on this machine whether it is ready',
    add: async (program) => void program.addCommand((await import('./health.ts')).healthCommand()),
  },
  {
    words: 'secrets',
    summary: 'make the secrets of a new installation as files',
    add: async (program) => void program.addCommand((await import('./secrets.ts')).secretsCommand()),
  },
  { words: 'keys data', summary: 'print the keys that seal what is stored', add: addDataKeys },
  { words: 'keys rekey', summary: 'seal everything anew with a new key, while the server runs', add: addDataKeys },
  { words: 'keys destroy', summary: 'destroy retired keys with which nothing is sealed any more', add: addDataKeys },
  { words: 'keys rewrap', summary: 'wrap the keys with another root key', add: addDataKeys },
  { words: 'ledger seal', summary: 'seal each hour and day that is due, and print the seals', add: addSeals },
  { words: 'ledger seal verify', summary: 'hold the books against a copy of their seals', add: addSeals },
  { words: 'ledger seals', summary: 'print every seal, to be kept elsewhere', add: addSeals },
  {
    words: 'listen',
    summary: 'receive, verify and print what a partner is sent',
    add: async (program) => void program.addCommand((await import('./listen.ts')).listenCommand()),
  },
];
