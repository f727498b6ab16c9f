import { createSend } from '../../client/send.js';
import { CommandFailure } from '../terminal.ts';
import { seen } from './table.ts';

/** Codes of OpenSSL and Node.js for a certificate that is not trusted. */
const NOT_TRUSTED = /CERT|UNABLE_TO_/;

export interface Ask {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
}
export interface Answer {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
}
/** @param repeatable whether to send again when no answer came, or one that says that nothing was done */
export type Send = (ask: Ask, repeatable: boolean) => Promise<Answer>;

/**
 * Sends with our client and its rules for retries. Follows no redirect: the token is for one server.
 *
 * @throws CommandFailure when no answer came
 */
export const sendByClient: Send = async (ask, repeatable) => {
  const { method, url, headers, timeoutMs } = ask;
  const request = new Request(url, { method, headers, body: ask.body ?? null, redirect: 'manual' });
  const answer = await createSend({ timeoutMs })(request, repeatable).catch(({ cause }) => {
    throw unreachable(ask, cause);
  });
  // `text()` would drop the byte order mark of a CSV file.
  const body = Buffer.from(await answer.arrayBuffer()).toString('utf8');
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
};

/** @param error what `fetch` threw: what happened is its cause, but for a timeout */
function unreachable({ method, url, timeoutMs }: Ask, error: unknown): CommandFailure {
  const { name, code, message } = Object(Object(error).cause ?? error) as Partial<NodeJS.ErrnoException>;
  const why = name === 'TimeoutError' ? `nothing within ${timeoutMs / 1000} s` : (code ?? message ?? 'no answer');
  if (NOT_TRUSTED.test(code ?? '')) {
    const text = `the certificate of ${new URL(url).origin} is not trusted (${code}): name its authority with NODE_EXTRA_CA_CERTS`;
    return new CommandFailure('unreachable', text, { cause: error });
  }
  const next =
    method === 'GET'
      ? 'is it running, and is this its URL?'
      : 'it may have been done: look, or repeat it with the same --reference or --idempotency-key.';
  return new CommandFailure('unreachable', `${new URL(url).origin} gives no answer (${why}): ${next}`, {
    cause: error,
  });
}

interface Refusal {
  message?: string;
  errorCode?: string;
  errors?: unknown[];
  requestId?: string;
}

/**
 * The message for a refusal: the server's message, its code, what to do next, and the request id for the server's log.
 *
 * @param role the least role of the operation
 */
export async function refusalOf(
  answer: Answer,
  { url, role }: { url: string; role?: string },
): Promise<CommandFailure> {
  const { status, headers, body } = answer;
  const { message, errorCode, errors = [], requestId = headers['x-request-id'] } = membersOf(body);
  if (errorCode === undefined) {
    const what =
      status >= 300 && status < 400 ? `sends on to ${seen(headers['location'] ?? 'nowhere')}` : `answers ${status}`;
    return new CommandFailure('refused', `${url} ${what}, and not as the operator API does: is this its URL?`);
  }
  const more = errors.map(String).filter((one) => one !== message);
  const lines = [`${errorCode}: ${message ?? ''}`, ...more.map((one) => `  ${one}`)];
  const next = await nextOf(errorCode, status, role);
  if (next !== undefined) lines.push(next);
  if (requestId !== undefined) lines.push(`Request id: ${requestId}`);
  const text = lines.map(seen).join('\n');
  return new CommandFailure(status === 401 || status === 403 ? 'credentials' : 'refused', text);
}

/** What to do: by the guide of errors, which has a line for each code. */
async function nextOf(errorCode: string, status: number, role: string | undefined): Promise<string | undefined> {
  if (status === 401) return 'The token is not valid here, or has expired: paytag login.';
  if (errorCode === 'ROLE_REFUSED') {
    return `This needs the role ${role ?? 'of another operator'}${role === 'admin' ? '' : ' or a higher one'}; "paytag operators me" shows yours.`;
  }
  const { errorTable } = await import('#errors');
  return (errorTable as Record<string, { whatToDo?: string } | undefined>)[errorCode]?.whatToDo;
}

/** Whether a body is what the operator API answers with. */
export const isJsonObject = (body: string): boolean => parsed(body) !== undefined;

const membersOf = (body: string): Refusal => parsed(body) ?? {};

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
