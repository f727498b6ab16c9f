import { operatorOperations } from '#wire/operator-operations.ts';
import { localCommands } from '../cli/program.ts';
import { flagOf } from '../cli/server/parameters.ts';

/** Every command, in Markdown tables: those that talk to a server, and those of an installation. */
export function commandTables(): string {
  const ofServer = operatorOperations
    .toSorted((a, b) => a.noun.localeCompare(b.noun))
    .map((operation) => {
      const { noun, verb, parameters, summary, role, irreversible } = operation;
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `<${flagOf(name)}>`);
      const command = [noun, verb, ...inPath].filter((word) => word !== '').join(' ');
      const forGood = irreversible === undefined ? '' : '. **For good**';
      return `| \`paytag ${command}\` | ${summary}${forGood} | ${role} |`;
    });
  return [
    '| Command | What it does | Role |',
    '|---|---|---|',
    ...ofServer,
    '',
    '| Command | What it does, with or without a running server |',
    '|---|---|',
    ...localCommands.map(({ words, summary }) => `| \`paytag ${words}\` | ${summary} |`),
  ].join('\n');
}
