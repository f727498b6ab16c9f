import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { parseExactJson } from '#http/bodies.ts';
import { validateStored } from '#http/validation.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Judge, type Minor, toMajor } from '#lib/minor-units.ts';
import {
  type AuthenticatedOperator,
  askForApproval,
  mayDo,
  type Role,
  type StoredInput,
  type WaitingOperation,
  wasDone,
} from '#modules/operators';
import { memberPermissions, permissions } from './permissions.ts';
import { type approvalShape, toApproval } from './shapes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The operations of this instance that may wait for approval, by method and path. */
    waitingOperations: Map<string, WaitingOperation>;
  }
}

interface Input<Params extends z.ZodType, Body extends z.ZodType> {
  params: z.output<Params>;
  body: z.output<Body>;
  /** For the audit log: who asks, and who has approved where it waited. */
  actor: string;
  /** The role that lets it happen: the requester’s, or the approver’s. */
  role: Role;
  /** The request that was approved, where it waited. */
  cause: string | undefined;
  /** Whom `run` asks under its locks where it waits `as judged`. */
  judge: Judge;
}

/** The amount, which waits above APPROVAL_ABOVE (an unknown amount waits where that is set); or whether the change waits at all. */
type Waits = Minor | undefined | 'always' | 'never';

interface FourEyes<Params extends z.ZodType, Body extends z.ZodType, Answer> {
  /** Method and path, as in `permissions.ts`: `POST /partners/:id/float`. */
  name: string;
  params: Params;
  body: Body;
  /**
   * What it would move, where that is in the request or never changes: it waits above APPROVAL_ABOVE, and so does, where that is
   * set, an unknown amount. Or `always`: it waits in every environment; `never`: it is done at once.
   * What `run` would refuse may be refused here already. What depends on a state that others change waits `as judged`, by the
   * same rule: `run` tells its `judge` the amount under the locks of the change, which is undone where it waits.
   */
  waits:
    | 'always'
    | 'as judged'
    | ((input: Pick<Input<Params, Body>, 'params' | 'body' | 'role'>) => Waits | Promise<Waits>);
  /**
   * Whether, done twice, it answers as it did, e.g. by its reference. Then a repeat of what was approved and done gets
   * that answer; otherwise they ask for another approval.
   */
  repeatable: boolean;
  /** Does it and says what to answer, in the shape of the answer. Twice, because of a crash, it does no more than once. */
  run: (input: Input<Params, Body>) => Promise<Answer>;
}

export type FourEyesDeps = DepsOf<typeof askForApproval> &
  DepsOf<typeof wasDone> & { approvalAbove: bigint | undefined };

interface Asked<Params extends z.ZodType, Body extends z.ZodType> {
  params: z.output<Params>;
  body: z.output<Body>;
  rawBody: string;
  actor: string;
  operator: AuthenticatedOperator | null;
}

/**
 * Makes an operation one that may wait for another operator: what it gives is the route's handler. It does the operation at
 * once, or stores it as a request and answers 202 with it. The README of `modules/operators` says how to use it.
 */
export function fourEyes<Params extends z.ZodType, Body extends z.ZodType, Answer>(
  app: FastifyInstance,
  deps: FourEyesDeps,
  operation: FourEyes<Params, Body, Answer>,
) {
  const { name, run, waits, repeatable } = operation;
  const role = permissions[name];
  if (role === undefined) throw new Error(`no role is decided for ${name}`);
  app.waitingOperations.set(name, {
    name,
    role,
    roleFor: ({ body }) => roleOf(name, body.trim() === '' ? undefined : parseExactJson(body)) ?? role,
    run: (stored, actor, { id, by, amount }) => {
      const judge = judgeApproved(amount, deps.approvalAbove);
      return run({ ...readInput(operation, stored), actor, role: by, cause: id, judge });
    },
  });

  return async (
    request: Asked<Params, Body>,
    reply: { code: (status: 202) => unknown },
  ): Promise<Answer | z.input<typeof approvalShape>> => {
    const { params, body, actor, operator } = request;
    if (operator === null) throw new Error('this route is not behind requireOperator');
    const { role: own } = operator;
    const asked = { by: operator, operation: name, input: storedInput(request) };
    const wait = async (amount: Minor | undefined) => {
      const { reason } = Object(body) as { reason?: string };
      reply.code(202);
      return toApproval(await askForApproval(deps, { ...asked, amount, reason }));
    };
    const waited = typeof waits === 'string' ? waits : await waits({ params, body, role: own });
    if (mustWait(waited, deps.approvalAbove) && !(repeatable && (await wasDone(deps, asked)))) {
      return wait(typeof waited === 'bigint' ? waited : undefined);
    }
    const judge: Judge = (judged) => {
      if (mustWait(judged, deps.approvalAbove)) throw new TwoMustAgree(judged);
    };
    try {
      return await run({ params, body, actor, role: own, cause: undefined, judge });
    } catch (error) {
      if (error instanceof TwoMustAgree) return wait(error.amount);
      throw error;
    }
  };
}

/** Undoes what is found, under its locks, to need another operator. */
class TwoMustAgree extends Error {
  readonly amount: Minor | undefined;
  constructor(amount: Minor | undefined) {
    super('another operator must approve this');
    this.amount = amount;
  }
}

/** Of more than was approved no more is done than one operator may do alone. Approved without an amount, it may be any. */
function judgeApproved(approved: Minor | undefined, approvalAbove: bigint | undefined): Judge {
  return (amount) => {
    if (approved === undefined || approvalAbove === undefined) return;
    if (amount !== undefined && amount <= approved + approvalAbove) return;
    const now = amount === undefined ? 'more than can be added up' : toMajor(amount);
    throw new DomainError(
      'APPROVAL_OUTGROWN',
      `approved were ${toMajor(approved)}, and now it is ${now}: make a new request`,
    );
  };
}

/** Whether it waits. An unknown amount may be any, and waits. */
function mustWait(waits: Waits | 'as judged', approvalAbove: bigint | undefined): boolean {
  if (waits === 'always') return true;
  if (waits === 'never' || waits === 'as judged' || approvalAbove === undefined) return false;
  return waits === undefined || waits > approvalAbove;
}

/** The role that the members of a body ask for, where that is more than their operation asks for. */
function roleOf(name: string, body: unknown): Role | undefined {
  const roles = Object.entries(memberPermissions[name] ?? {}).filter(([member]) => Object(body)[member] !== undefined);
  return roles.map(([, role]) => role).find((role) => roles.every(([, other]) => mayDo(role, other)));
}

/** The path's parts as text and the body as it came, to be judged again when they are used. */
const storedInput = ({ params, rawBody }: { params: unknown; rawBody: string }): StoredInput => ({
  params: Object.fromEntries(Object.entries(Object(params)).map(([part, value]) => [part, String(value)])),
  body: rawBody,
});

function readInput<Params extends z.ZodType, Body extends z.ZodType>(
  { params, body }: { params: Params; body: Body },
  stored: StoredInput,
): { params: z.output<Params>; body: z.output<Body> } {
  const given = stored.body.trim() === '' ? undefined : parseExactJson(stored.body);
  return { params: validateStored(params, 'params', stored.params), body: validateStored(body, 'body', given) };
}
