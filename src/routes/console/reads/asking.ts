import type { FastifyRequest } from 'fastify';
import { filled, operationNamed } from '../catalogue/operations.ts';
import type { Members } from '../catalogue/things.ts';
import { askApi, visitorOf } from '../session.ts';
import { askedQuery } from './filter-form.ts';
import type { Ask } from './shown.ts';

/** Has a page ask for more than its own read answers, as whoever looks at it. */
export const asking =
  (request: FastifyRequest): Ask =>
  async (operationId, known, query = {}) => {
    const operation = operationNamed(operationId);
    const path = operation && filled(operation.path, known);
    if (operation === undefined || path === undefined || !visitorOf(request).may(operation)) return undefined;
    const { status, body } = await askApi(request, { method: 'GET', path: `${path}${askedQuery(operation, query)}` });
    return status === 200 ? (Object(body) as Members) : undefined;
  };
