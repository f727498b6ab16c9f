import type { FastifyRequest } from 'fastify';
import type { Html } from '#lib/html.ts';
import type { Members } from '../catalogue/things.ts';
import type { ConsoleVisitor } from '../session.ts';

interface Shown {
  visitor: ConsoleVisitor;
  known: Readonly<Record<string, string>>;
  answer: Members;
  request: FastifyRequest;
}

/** What the page of a read shows beyond what the API answers to it, by its operation. */
export const designed: Readonly<Record<string, (shown: Shown) => Promise<Html>>> = {};
