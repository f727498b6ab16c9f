import { defaultsOf } from '../config/defaults.ts';
import { defaultTextOf, purposeOf, validOf, variableNames } from '../config/described.ts';
import type { VariableName } from '../config/variables.ts';

/** Headings, and how the variables below them begin; those of no other heading are the process's. */
const sections: readonly { title: string; names: RegExp }[] = [
  { title: 'Stores and secrets', names: /^(DATABASE|REDIS|DATA_DIR|OPERATOR_TOKEN$|MASTER_KEY|KMS)/ },
  { title: 'Traces', names: /^OTEL_/ },
  { title: 'Webhooks', names: /^WEBHOOK_/ },
  { title: 'Tokens and limits', names: /(_TTL_[SD]$|^RATE_LIMIT_|^DAILY_LIMIT_|^APPLICATION_REGISTRATION$)/ },
  { title: 'The institution', names: /^(INSTITUTION|EMV)_/ },
  { title: 'Fees and account numbers', names: /^(FEE|NUBAN)_/ },
  { title: 'Outside providers', names: /^(BVN|BANK|MESSAGING|EMAIL)_/ },
];
const THE_PROCESS = 'The process';

/** What the embedded sandbox makes or takes for itself, beside what `defaultsOf` says. */
const ofEmbedded: Partial<Record<VariableName, string>> = {
  ENVIRONMENT: '`sandbox`',
  OPERATOR_TOKEN: 'made',
  MASTER_KEY: 'made',
};

/** Every variable in a Markdown table under its heading: default, valid values, purpose. */
export function configurationTables(): string {
  const titles = [THE_PROCESS, ...sections.map(({ title }) => title)];
  return titles
    .map((title) =>
      table(
        title,
        variableNames.filter((name) => titleOf(name) === title),
      ),
    )
    .join('\n\n');
}

const titleOf = (name: string): string => sections.find(({ names }) => names.test(name))?.title ?? THE_PROCESS;

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
