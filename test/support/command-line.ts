import type { OperatorOperation } from '#wire/operator-operations.ts';
import { main } from '../../src/cli/main.ts';
import { flagOf, isFlag } from '../../src/cli/server/parameters.ts';
import type { Ask, Send } from '../../src/cli/server/send.ts';
import { commandEnvironment } from '../../src/config/command-environment.ts';
import type { TestApp } from './app.ts';

export interface CommandResult {
  code: number;
  out: string;
  err: string;
  /** What was sent, in its order. */
  asked: Ask[];
}

interface Given {
  env?: Record<string, string>;
  /** What somebody at the terminal answers to questions; without it, nobody sits there. */
  answers?: string[];
  stdin?: string;
  columns?: number;
}

const ORIGIN = 'https://operator.example';

/** Runs `paytag` in this process, against an app in this process: its answers are held against their descriptions. */
export function commandLineOf(server: TestApp, token: string) {
  const sendToApp: Send = async ({ method, url, headers, body }) => {
    const answer = await server.call(method as 'GET', url.replace(ORIGIN, ''), {
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    const told = Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()]);
    return { status: answer.statusCode, headers: Object.fromEntries(told), body: answer.body };
  };

  return async (args: readonly string[], given: Given = {}): Promise<CommandResult> => {
    const result = { out: '', err: '', asked: [] as Ask[] };
    const answers = [...(given.answers ?? [])];
    const isThere = given.answers !== undefined;
    const code = await main(args, {
      environment: commandEnvironment({ PAYTAG_URL: ORIGIN, PAYTAG_TOKEN: token, ...given.env }),
      send: (ask, repeatable) => {
        result.asked.push(ask);
        return sendToApp(ask, repeatable);
      },
      terminal: {
        out: (text) => void (result.out += text),
        err: (text) => void (result.err += text),
        isInteractive: { in: isThere, out: isThere, err: false },
        columns: given.columns,
        ask: async (question) => {
          result.err += question;
          return answers.shift() ?? '';
        },
        readAll: async () => given.stdin ?? '',
      },
    });
    return { code, ...result };
  };
}

/** The command line that asks an operation for a request, and means it. */
export function argumentsFor(
  { noun, verb, path, parameters, irreversible }: OperatorOperation,
  { url, query = {}, body = {} }: { url: string; query?: Record<string, unknown>; body?: Record<string, unknown> },
): string[] {
  const { pathname, searchParams } = new URL(url, ORIGIN);
  const given = pathname.replace('/operator/v1', '').split('/');
  const inPath = path
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [decodeURIComponent(given[at] ?? '')] : []));
  const asked: Record<string, unknown> = { ...Object.fromEntries(searchParams), ...query };
  const options = parameters.flatMap((parameter) => {
    if (parameter.in === 'path') return [];
    const value = parameter.in === 'query' ? asked[parameter.name] : memberOf(body, parameter.name);
    if (value === undefined) return [];
    const flag = `--${flagOf(parameter.name)}`;
    if (isFlag(parameter)) return [value === false ? flag.replace('--', '--no-') : flag];
    return [`${flag}=${textOf(value, parameter.items === 'json' ? 'json' : parameter.kind)}`];
  });
  const meant = irreversible === undefined ? [] : ['--yes'];
  return [...`${noun} ${verb}`.trim().split(' '), ...options, ...meant, '--', ...inPath];
}

const memberOf = (body: unknown, name: string): unknown =>
  name.split('.').reduce<unknown>((value, member) => Object(value)[member], body);

function textOf(value: unknown, kind: string): string {
  if (value === null) return 'none';
  if (Array.isArray(value) && kind === 'list') return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
