import { defaultsOf } from '../config/defaults.ts';
import { defaultTextOf, purposeOf, subjectOf, subjectTitles, validOf, variableNames } from '../config/settings.ts';
import type { VariableName } from '../config/variables.ts';

/** What the embedded sandbox generates or chooses, in addition to `defaultsOf`. */
const ofEmbedded: Partial<Record<VariableName, string>> = {
  ENVIRONMENT: '`sandbox`',
  OPERATOR_TOKEN: 'made',
  MASTER_KEY: 'made',
};

/** Every variable in a Markdown table under its heading: default, valid values, purpose. */
export function configurationTables(): string {
  return subjectTitles
    .map((title) =>
      table(
        title,
        variableNames.filter((name) => subjectOf(name) === title),
      ),
    )
    .join('\n\n');
}

function table(title: string, names: readonly VariableName[]): string {
  const rows = names.map(
    (name) => `| \`${name}\` | ${defaultOf(name)} | ${escaped(validOf(name))} | ${escaped(purposeOf(name))} |`,
  );
  return [
    `## ${title}`,
    '',
    '| Variable | Default | Valid values | What it is for |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** One default where all environments have the same, else each with where it holds. */
function defaultOf(name: VariableName): string {
  const usual = shown(name, defaultsOf('sandbox', false)[name]);
  const embedded = ofEmbedded[name] ?? shown(name, defaultsOf('sandbox', true)[name]);
  const live = shown(name, defaultsOf('live', false)[name]);
  const others = [
    ...(embedded === usual ? [] : [`embedded: ${embedded}`]),
    ...(live === usual ? [] : [`live: ${live}`]),
  ];
  return [usual, ...others].join('; ');
}

/** What stands for a variable that was not given, where the environment assumes `text` for it. */
function shown(name: VariableName, text = defaultTextOf(name)): string {
  if (text === undefined) return 'required';
  return text === '' ? 'none' : `\`${text}\``;
}

const escaped = (text: string): string => text.replaceAll(/[|<>]/g, '\\$&');
