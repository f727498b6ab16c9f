import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { importOf } from '../../support/bank-files.ts';
import { refusalOf } from '../../support/refusals.ts';

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

describe('400', () => {
  it('an id that is none', async () => {
    expect((await read('import')).statusCode).toBe(400);
  });
});

describe('404', () => {
  it('an import that there is not', async () => {
    expect(refusalOf(await read('00000000-0000-7000-8000-000000000000'))).toEqual([404, 'IMPORT_NOT_FOUND']);
  });
});
