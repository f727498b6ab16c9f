import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { importOf } from '../../support/bank-files.ts';

const server = useApp();
const list = (query: string) => server.operate('GET', `/reconciliation/imports?${query}`);
const load = (rail: string) =>
  server.operate(
    'POST',
    '/reconciliation/imports',
    importOf(rail, 'MT940', [{ day: '2026-11-20', amount: -5n, reference: 'R' }]),
  );

describe('200', () => {
  it('files, newest first, of all rails or one', async () => {
    const [one, other] = [(await load('PAYOUT')).json().id, (await load('BANK')).json().id];
    const all = (await list('')).json();
    expect(all.items).toMatchObject([
      {
        id: other,
        rail: 'BANK',
        format: 'MT940',
        from: '2026-11-20',
        to: '2026-11-20',
        debits: -0.05,
        importedBy: 'operator:root',
      },
      { id: one, rail: 'PAYOUT' },
    ]);
    expect((await list('rail=PAYOUT')).json().items).toMatchObject([{ id: one }]);
  });
});
