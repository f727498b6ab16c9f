import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();
const DATE = '2026-01-31';

describe('200', () => {
  it('is the last comparison of the day', async () => {
    const compared = await server.operate('POST', '/rails/simulator/compare', { date: DATE });
    expect(compared.json()).toMatchObject({ provider: 'simulator', date: DATE, differences: [] });
    const shown = await server.operate('GET', `/rails/simulator/comparisons/${DATE}`);
    expect([shown.statusCode, shown.json()]).toEqual([200, compared.json()]);
  });

  it('is what differed of it as a file', async () => {
    await server.operate('POST', '/rails/simulator/compare', { date: DATE });
    const difference = { kind: 'TRANSFER', reference: '=payout', what: 'THEY_LACK', ours: '10050' };
    const plant = 'update rail_comparisons.comparison set differences = $1';
    await server.owner.query(plant, [JSON.stringify([difference])]);
    const file = await server.operate('GET', `/rails/simulator/comparisons/${DATE}?format=csv`);
    expect([file.headers['content-type'], file.body]).toEqual([
      'text/csv; charset=utf-8',
      "\ufeffkind,reference,what,ours,theirs,corrected\r\nTRANSFER,'=payout,THEY_LACK,100.5,,\r\n",
    ]);
  });
});
