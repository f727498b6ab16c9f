import type { Described, Parameter } from './described.ts';
import { exampleOf } from './hostile.ts';

/** A request as the document of its operation describes it. */
export interface DescribedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** JSON text; undefined where the operation takes no body. */
  payload: string | undefined;
}

/** Who asks: partner headers, sent always, and the bearer token of each scheme that asks for one. */
export interface Callers {
  headers: Record<string, string>;
  bearers: Readonly<Record<string, string>>;
}

/** The request of an operation, by a caller who may ask, about things that are well named and not there. */
export function requestOf(described: Described, { headers, bearers }: Callers): DescribedRequest {
  const { method, path, operation } = described;
  const schemes = Object.keys(operation.security?.[0] ?? {});
  const token = schemes.map((scheme) => bearers[scheme]).find((bearer) => bearer !== undefined);
  const values = new Map(operation.parameters?.map((parameter) => [parameter.name, valueFor(parameter)]));
  const asked = operation.parameters?.filter((parameter) => parameter.in === 'query' && parameter.required) ?? [];
  const query = asked.length === 0 ? '' : `?${asked.map(({ name }) => `${name}=${values.get(name)}`).join('&')}`;
  const body = exampleOf(described);
  return {
    method: method as DescribedRequest['method'],
    url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '') + query,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    payload: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** What is judged before the store is asked: a day, and which rail. */
const judgedAtOnce: Readonly<Record<string, string>> = { date: '2026-01-31', provider: 'simulator' };

function valueFor({ name, schema }: Parameter): string {
  const judged = judgedAtOnce[name];
  if (judged !== undefined) return judged;
  const { format, pattern, example } = schema as { format?: string; pattern?: string; example?: unknown };
  if (format === 'uuid') return '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d';
  if (pattern === undefined) return 'something';
  return typeof example === 'string' ? example : '22212345678';
}
