import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { importOf } from '../../support/bank-files.ts';

const server = useApp();
const list = (query: string) => server.operate('GET', `/reconciliation/items?${query}`);
const lines = [
  { day: '2026-11-19', amount: 500n, reference: 'R', narration: '=HYPERLINK(1)' },
  { day: '2026-11-20', amount: 500n, reference: 'R' },
];

describe('200', () => {
  it('lines, newest first, by rail, status, file and day, as a page or a file in which nothing is a formula', async () => {
    const { id } = (await server.operate('POST', '/reconciliation/imports', importOf('TERMINAL', 'CSV', lines))).json();
    await server.operate('POST', '/reconciliation/imports', importOf('GATEWAY', 'CSV', lines));
    const statuses = async (query: string) =>
      (await list(query)).json().items.map(({ status }: { status: string }) => status);
    expect(await statuses('rail=TERMINAL')).toEqual(['DUPLICATE', 'THEIRS_ALONE']);
    expect(await statuses(`importId=${id}&status=DUPLICATE`)).toEqual(['DUPLICATE']);
    expect(await statuses('from=2026-11-20')).toEqual(['DUPLICATE', 'DUPLICATE']);
    expect(await statuses('to=2026-11-19&rail=GATEWAY')).toEqual(['THEIRS_ALONE']);
    const file = await list('rail=TERMINAL&format=csv');
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.body).toContain(`'=HYPERLINK(1)`);
  });
});
