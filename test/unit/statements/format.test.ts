import { expect, it } from 'vitest';
import { periodText } from '../../../src/modules/statements/format.ts';

it.each([
  ['2026-10-21T23:00:00Z', '2026-11-20T23:00:00Z', '22 Oct 2026 to 20 Nov 2026'],
  ['2026-10-21T23:00:00Z', '2026-11-21T13:05:00Z', '22 Oct 2026 to 21 Nov 2026, 14:05'],
  ['2025-12-31T22:30:00Z', '2025-12-31T23:00:00Z', '31 Dec 2025, 23:30 to 31 Dec 2025'],
  ['2025-12-30T23:00:00Z', '2026-01-01T23:00:00Z', '31 Dec 2025 to 01 Jan 2026'],
])('a period from %s until just before %s is “%s”: whole days as days, others with their times', (from, to, text) => {
  expect(periodText({ from: new Date(from), to: new Date(to) })).toBe(text);
});
