import { CommandFailure } from '../command-failure.ts';
import type { Answer } from './send.ts';
import { seen } from './table.ts';

interface Refusal {
  message?: string;
  errorCode?: string;
  errors?: unknown[];
  requestId?: string;
}

/**
 * What to tell of an answer that is a refusal: the server's words, its code, what to do next, and the request id for whoever looks
 * into its log.
 *
 * @param role the least that the operation asks for
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
  if (status === 401) return 'The token is not good here, or no more: paytag login.';
  if (errorCode === 'ROLE_REFUSED') {
    return `It asks for the role ${role ?? 'of another operator'}${role === 'admin' ? '' : ', or one that may do more'}; yours is what "paytag operators me" says.`;
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
