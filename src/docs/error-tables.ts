import { errorTable } from '#errors';
import type { ErrorCode } from '#lib/domain-error.ts';

const statusNames: Readonly<Record<number, string>> = {
  400: 'not valid',
  401: 'credentials, code or token',
  403: 'forbidden',
  404: 'unknown, or somebody else’s',
  405: 'not with this method',
  409: 'in conflict with what is there',
  410: 'expired',
  413: 'too large',
  415: 'content type',
  422: 'refused by a rule of money',
  429: 'too many',
  500: 'our fault',
  502: 'an outside provider is down',
  503: 'busy, or the store is down',
};

/** Every error code that callers of the other surfaces can get, in a Markdown table under its status, in alphabetical order. */
export const callersErrorTables = (): string => errorTables((code) => !isOfOperators(code));
/** The same of the codes that only operators can get. */
export const operatorsErrorTables = (): string => errorTables(isOfOperators);

const isOfOperators = (code: ErrorCode): boolean => errorTable[code].where.every((surface) => surface === 'Operator');

function errorTables(isHere: (code: ErrorCode) => boolean): string {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter(isHere).toSorted();
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].toSorted((one, other) => one - other);
  return statuses
    .map((status) =>
      table(
        status,
        codes.filter((code) => errorTable[code].status === status),
      ),
    )
    .join('\n\n');
}

function table(status: number, codes: readonly ErrorCode[]): string {
  const name = statusNames[status];
  if (name === undefined) throw new Error(`say what status ${status} is called in the errors guide`);
  const head = ['| Code | Where | What happened | What to do | Repeat |', '|---|---|---|---|---|'];
  return [`## ${status}: ${name}`, '', ...head, ...codes.map(row)].join('\n');
}

function row(code: ErrorCode): string {
  const { where, happened, whatToDo, repeat } = errorTable[code];
  return `| \`${code}\` | ${where.join(', ')} | ${happened} | ${whatToDo} | ${repeat} |`;
}
