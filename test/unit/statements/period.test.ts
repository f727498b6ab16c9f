import { describe, expect, it } from 'vitest';
import { readPeriod } from '../../../src/modules/statements/period.ts';

/** Half past midnight of 21 November in Lagos, while it is still the 20th in London. */
const NOW = new Date('2026-11-20T23:30:00Z');
const read = (from?: string, to?: string) => {
  const period = readPeriod({ from, to }, { now: NOW, movedAt: null });
  return [period.from.toISOString(), period.to.toISOString()];
};

describe('a period', () => {
  it('is from the day thirty days before today in Lagos until now, where nothing is said', () => {
    expect(read()).toEqual(['2026-10-21T23:00:00.000Z', NOW.toISOString()]);
  });

  it('has its last day whole, but today only until now', () => {
    expect(read('2026-11-01', '2026-11-01')).toEqual(['2026-10-31T23:00:00.000Z', '2026-11-01T23:00:00.000Z']);
    expect(read('2026-11-21', '2026-11-21')).toEqual(['2026-11-20T23:00:00.000Z', NOW.toISOString()]);
  });

  it('takes moments to the millisecond, in any zone', () => {
    expect(read('2026-11-01T10:00:00.250+01:00', '2026-11-01T09:00:01Z')).toEqual([
      '2026-11-01T09:00:00.250Z',
      '2026-11-01T09:00:01.000Z',
    ]);
  });

  it('begins thirty days before the end that was named, and ends now where none was', () => {
    expect(read(undefined, '2026-05-31')).toEqual(['2026-05-01T23:00:00.000Z', '2026-05-31T23:00:00.000Z']);
    expect(read('2026-11-20')).toEqual(['2026-11-19T23:00:00.000Z', NOW.toISOString()]);
  });

  it('is 366 days long at most', () => {
    expect(read('2025-11-21', '2026-11-20')).toHaveLength(2);
    expect(read('2024-01-01', '2024-12-31')).toHaveLength(2);
  });

  it.each([
    ['2026-11-02', '2026-11-01', 'must be after from'],
    ['2026-11-01T10:00:00Z', '2026-11-01T10:00:00Z', 'must be after from'],
    ['2026-11-22', undefined, 'from: must not be in the future'],
    ['2026-11-01', '2026-11-22', 'to: must not be in the future'],
    ['2026-11-01', '2026-11-20T23:30:00.001Z', 'to: must not be in the future'],
    ['0000-01-01', '0000-02-01', 'must not be before 2000'],
    ['1999-12-31', '2000-01-02', 'must not be before 2000'],
    ['2025-01-01', '2026-01-02', 'at most 366 days'],
    ['2025-01-01', undefined, 'at most 366 days'],
  ])('is refused from %s to %s: %s', (from, to, why) => {
    expect(() => read(from, to)).toThrow(why);
  });
});
