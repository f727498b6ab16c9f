import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { importOf } from '../../support/bank-files.ts';

const server = useApp();
const read = (id: string) => server.operate('GET', `/reconciliation/imports/${id}`);

describe('200', () => {
  it('a file, with what its difference to our books is made of', async () => {
    const lines = [
      { day: '2026-11-20', amount: 500n, reference: 'R' },
      { day: '2026-11-20', amount: 500n, reference: 'R' },
    ];
    const made = (await server.operate('POST', '/reconciliation/imports', importOf('TERMINAL', 'CSV', lines))).json();
    const answer = await read(made.id);
    expect([answer.statusCode, answer.json()]).toEqual([200, made]);
    expect(made.summary).toEqual({
      bank: 10,
      ours: 0,
      difference: 10,
      differences: expect.arrayContaining([
        { of: 'THEIRS_ALONE', count: 1, amount: 5 },
        { of: 'DUPLICATE', count: 1, amount: 5 },
      ]),
      matched: 0,
      repeated: 0,
      ties: true,
    });
  });
});
