import type { Html } from '#lib/html.ts';
import type { Done } from '../actions/done.ts';
import type { OperatorOperation } from '../catalogue/operations.ts';
import type { Members } from '../catalogue/things.ts';
import type { ConsoleVisitor } from '../session.ts';
import type { Query } from './filter-form.ts';

/** What the page of a read shows, and for whom. */
export interface Shown {
  visitor: ConsoleVisitor;
  operation: OperatorOperation;
  path: string;
  query: Query;
  /** The parts of the path. */
  known: Readonly<Record<string, string>>;
  answer: Members;
  /** What was done just now, when a form led here. */
  done: Done | undefined;
  /** Asks for more: what a read answers, or undefined where it refuses or whoever looks may not. */
  ask: Ask;
}

export type Ask = (
  operationId: string,
  known: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string>>,
) => Promise<Members | undefined>;

/** The part of a page that is its own. */
export interface PagePart {
  title: string;
  body: Html;
}
