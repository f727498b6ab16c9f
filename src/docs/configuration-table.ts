import { z } from 'zod';
import { defaultsOf } from '../config/defaults.ts';
import { type VariableName, variables } from '../config/variables.ts';

const shapes: Readonly<Record<string, z.ZodType>> = variables.shape;

/** Headings, and how the variables below them begin; those of no other heading are the process's. */
const sections: readonly { title: string; names: RegExp }[] = [
  { title: 'Stores and secrets', names: /^(DATABASE|REDIS|DATA_DIR|OPERATOR_TOKEN$|MASTER_KEY|KMS)/ },
  { title: 'Webhooks', names: /^WEBHOOK_/ },
  { title: 'Tokens and limits', names: /(_TTL_[SD]$|^RATE_LIMIT_|^DAILY_LIMIT_|^APPLICATION_REGISTRATION$)/ },
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
/** A value that no variable takes: each refuses it by saying what it takes. */
const NEVER_VALID = '\u0000';

/** Every variable in a Markdown table under its heading: default, valid values, purpose. */
export function configurationTables(): string {
  const titles = [THE_PROCESS, ...sections.map(({ title }) => title)];
  const names = Object.keys(shapes) as VariableName[];
  return titles
    .map((title) =>
      table(
        title,
        names.filter((name) => titleOf(name) === title),
      ),
    )
    .join('\n\n');
}

const titleOf = (name: string): string => sections.find(({ names }) => names.test(name))?.title ?? THE_PROCESS;

function table(title: string, names: readonly VariableName[]): string {
  const rows = names.map((name) => `| \`${name}\` | ${defaultOf(name)} | ${validOf(name)} | ${purposeOf(name)} |`);
  return [
    `## ${title}`,
    '',
    '| Variable | Default | Valid values | What it is for |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const purposeOf = (name: string): string => escaped(shapes[name]?.description ?? '');

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
function shown(name: VariableName, text: string | undefined): string {
  if (text !== undefined) return text === '' ? 'none' : `\`${text}\``;
  const shape = shapes[name];
  const given = shape instanceof z.ZodPipe && shape.in instanceof z.ZodDefault ? shape.in : shape;
  if (given instanceof z.ZodDefault) return asGiven(given.def.defaultValue);
  return given?.isOptional() ? 'none' : 'required';
}

/** A default as it would be written: amounts are kept in kobo. */
function asGiven(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``;
  return `\`${typeof value === 'bigint' ? Number(value) / 100 : String(value)}\``;
}

function validOf(name: VariableName): string {
  const refused = variables.shape[name].safeParse(NEVER_VALID);
  if (refused.success) return 'text';
  const [issue] = refused.error.issues;
  return escaped((issue?.message ?? '').replace(/^must (be|have) /, ''));
}

const escaped = (text: string): string => text.replaceAll(/[|<>]/g, '\\$&');
