import { CommanderError } from 'commander';
import { commandEnvironment } from '../config/command-environment.ts';
import { localCommands, programFor } from './program.ts';
import type { CommandDeps } from './server/run-operation.ts';
import { sendByClient } from './server/send.ts';
import { CommandFailure, exitCodes, processTerminal } from './terminal.ts';

/** Runs a command line of `paytag`, and gives its exit code. Tests give what it reads and writes. */
export async function main(args: readonly string[], given: Partial<CommandDeps> = {}): Promise<number> {
  const { terminal = ownTerminal(), environment = commandEnvironment(), send = sendByClient } = given;
  const deps = { terminal, environment, send };
  const ending = { exitCode: 0 };
  try {
    if (args[0] === 'complete') {
      const { completionsOf } = await import('./completion.ts');
      terminal.out(await completionsOf(args.slice(args[1] === '--' ? 2 : 1), environment, localCommands));
      return exitCodes.done;
    }
    const program = await programFor(args, deps, ending);
    await program.parseAsync([...args], { from: 'user' });
    return ending.exitCode === 0 ? Number(process.exitCode ?? 0) : ending.exitCode;
  } catch (error) {
    return await exitCodeOf(error, deps);
  }
}

async function exitCodeOf(error: unknown, { terminal }: CommandDeps): Promise<number> {
  if (error instanceof CommanderError) {
    const isAnswer = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
    return isAnswer ? exitCodes.done : exitCodes.usage;
  }
  if (error instanceof CommandFailure) {
    terminal.err(`${error.message}\n`);
    return error.exitCode;
  }
  const { startFailure } = await import('../start-failure.ts');
  console.error(startFailure(error));
  return exitCodes.refused;
}

/** A reader that closes the pipe, as `head` does, is no failure. */
function ownTerminal() {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done);
    throw error;
  });
  // Progress that no process reads is dropped, and the work continues.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return processTerminal();
}
