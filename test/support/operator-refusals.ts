import { describe, expect, it } from 'vitest';
import type { Answer, TestApp } from './app.ts';

/** The id of nothing. */
export const NOBODY = '00000000-0000-7000-8000-000000000000';

/** How an answer refuses. */
export const refusalOf = (answer: Answer): [status: number, errorCode: string] => [
  answer.statusCode,
  answer.json<{ errorCode: string }>().errorCode,
];

/** The block 401 of an operator operation. `url` is below /operator/v1. */
export function refuseAllButOperator(server: TestApp, method: 'GET' | 'POST' | 'PATCH', url: string): void {
  describe('401', () => {
    it.each([undefined, 'Bearer', 'Bearer wrong', 'Basic b3A6b3A='])('Authorization %s', async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await server.call(method, `/operator/v1${url}`, { headers });
      expect(refusalOf(answer)).toEqual([401, 'INVALID_CREDENTIALS']);
    });
  });
}
