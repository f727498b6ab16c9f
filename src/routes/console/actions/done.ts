import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { fact, type Html, html } from '#lib/html.ts';
import { type OperatorOperation, parametersIn } from '../catalogue/operations.ts';
import { defaultCurrency } from '../catalogue/things.ts';
import { doneInWords, labelOf } from '../catalogue/words.ts';
import { shown } from '../look/values.ts';
import type { ApiAnswer } from '../session.ts';
import { cookieIn, type Reached, setCookie } from '../session.ts';

const kinds = ['text', 'id', 'money', 'integer', 'boolean', 'moment', 'day'] as const;
const doneShape = z.object({
  /** The page that it is said on. */
  at: z.string(),
  title: z.string(),
  facts: z.array(
    z.object({ name: z.string(), kind: z.enum(kinds), value: z.union([z.string(), z.number(), z.boolean()]) }),
  ),
  currency: z.string().optional(),
});

/** What was done, for the page that its form leads to. */
export type Done = Omit<z.infer<typeof doneShape>, 'at'>;
type Fact = Done['facts'][number];

/** What is said of an action again, of all that was typed: nothing that is personal, and no secret. */
const SAID = new Set([
  'account',
  'action',
  'amount',
  'currency',
  'dailyLimit',
  'date',
  'endpointId',
  'event',
  'outcome',
  'reason',
  'reference',
  'role',
  'status',
  'tier',
  'title',
  'to',
  'walletReference',
]);
/** What is said of what came of it. */
const CAME = ['Status', 'status', 'state', 'balance'];
const TEXT_MAX = 120;

/** What an action did, in words: that it was done, and with what. */
export function doneOf(operation: OperatorOperation, { given, answer }: { given: object; answer: ApiAnswer }): Done {
  const waits = answer.status === 202;
  const typed = factsIn(Object.entries(given), (name) =>
    SAID.has(name) ? parametersIn(operation, 'body').find((one) => one.name === name)?.kind : undefined,
  );
  const names = new Set(typed.map(({ name }) => name.toLowerCase()));
  const came = factsIn(
    CAME.flatMap((name) => [[name, (Object(answer.body) as Record<string, unknown>)[name]] as const]),
    (name) =>
      names.has(name.toLowerCase()) || waits ? undefined : operation.columns.find((one) => one.name === name)?.kind,
  );
  const said = (from: unknown): unknown => {
    const { Currency, currency = Currency } = Object(from) as Record<string, unknown>;
    return currency;
  };
  const currency = said(given) ?? said(answer.body) ?? defaultCurrency(operation);
  const title = doneInWords(operation.operationId);
  return {
    title: waits ? `Needs another operator’s approval: ${title.toLowerCase()}` : title,
    facts: [...typed, ...came],
    ...(typeof currency === 'string' && { currency }),
  };
}

function factsIn(
  pairs: readonly (readonly [name: string, value: unknown])[],
  kindOf: (name: string) => string | undefined,
): Fact[] {
  return pairs.flatMap(([name, value]): Fact[] => {
    const kind = kinds.find((one) => one === kindOf(name));
    if (kind === undefined) return [];
    if (typeof value === 'string') {
      return [{ name, kind, value: value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)} …` : value }];
    }
    return typeof value === 'number' || typeof value === 'boolean' ? [{ name, kind, value }] : [];
  });
}

/** The notice that tells the operator what was done. */
export const doneNotice = ({ title, facts, currency }: Done, of?: string): Html =>
  html`<div class="panel done" role="status"><h2>${title}${of !== undefined && html`: <bdi>${of}</bdi>`}</h2>${
    facts.length > 0 &&
    html`<dl>${facts.map(({ name, kind, value }) => fact(labelOf(name), shown(undefined, { name, kind }, value, { currency })))}</dl>`
  }</div>`;

const COOKIE = 'paytag-console-done';
const KEPT_S = 60;
/** Bytes that any browser keeps of a cookie. */
const COOKIE_MAX = 3_500;

/** Lets the next page show what was done, once. A cookie holds it, not the address, so no link from outside can fake it. */
export function rememberDone(reached: Reached, reply: FastifyReply, at: string, done: Done): FastifyReply {
  const value = Buffer.from(JSON.stringify({ at, ...done })).toString('base64url');
  const short = Buffer.from(JSON.stringify({ at, ...done, facts: [] })).toString('base64url');
  return setCookie(reached, reply, {
    name: COOKIE,
    value: value.length <= COOKIE_MAX ? value : short,
    maxAgeS: KEPT_S,
  });
}

/** What was done just now, on the page that it led to; it is forgotten then. */
export function takeDone(reached: Reached, request: FastifyRequest, reply: FastifyReply): Done | undefined {
  const text = Buffer.from(cookieIn(reached, request, COOKIE) ?? '', 'base64url').toString();
  const kept = text === '' ? undefined : doneShape.safeParse(parsed(text)).data;
  if (kept === undefined || kept.at !== request.url.split('?')[0]) return undefined;
  void setCookie(reached, reply, { name: COOKIE });
  return kept;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
