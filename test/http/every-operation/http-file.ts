/** A request of a file for the REST client of an editor, its variables not yet filled in. */
export interface FileRequest {
  title: string;
  /** By which later requests mean its answer. */
  name: string | undefined;
  /** Variables that are asked for. */
  prompts: string[];
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The variables and the requests of such a file, in their order. */
export function parseHttpFile(text: string): { variables: Record<string, string>; requests: FileRequest[] } {
  const [head = '', ...blocks] = text.split(/^### ?/m);
  const variables = Object.fromEntries(
    [...head.matchAll(/^@(\w+) *=(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
  return { variables, requests: blocks.map(parseRequest) };
}

function parseRequest(block: string): FileRequest {
  const [title = '', ...lines] = block.trimEnd().split('\n');
  const said = lines.filter((line) => line.startsWith('#'));
  const [top = '', ...bodyParts] = lines
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split('\n\n');
  const [first = '', ...headers] = top.split('\n');
  const [method = '', url = ''] = first.split(' ');
  const directives = said.map((line) => /^# @(\w+) (\w+)/.exec(line) ?? []);
  const named = (directive: string) =>
    directives.filter(([, kind]) => kind === directive).map(([, , name = '']) => name);
  return {
    title,
    name: named('name')[0],
    prompts: named('prompt'),
    method,
    url,
    headers: Object.fromEntries(headers.map((line) => line.split(/: (.*)/s) as [string, string])),
    body: bodyParts.length === 0 ? undefined : bodyParts.join('\n\n'),
  };
}

/** A text with its variables filled in: `{{name}}`, and `{{request.response.body.Member}}` of an answer before. */
export const fillIn = (
  text: string,
  variables: Readonly<Record<string, string>>,
  answers: ReadonlyMap<string, string>,
): string =>
  text.replaceAll(/\{\{([^}]+)\}\}/g, (_whole, path: string) => {
    const [name = '', , , ...members] = path.split('.');
    const answer = answers.get(name);
    if (members.length === 0 || answer === undefined) {
      const value = variables[path];
      if (value === undefined) throw new Error(`nothing gives ${path}`);
      return value;
    }
    if (members[0] === '*') return answer;
    return String(members.reduce<unknown>((value, member) => Object(value)[member], JSON.parse(answer)));
  });
