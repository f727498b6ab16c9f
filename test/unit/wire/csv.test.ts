import { expect, it } from 'vitest';
import { z } from 'zod';
import { toCsv } from '#wire/csv.ts';

const shape = z.object({
  id: z.int(),
  note: z.string().optional(),
  sender: z.object({ name: z.string().optional() }).optional(),
  revokedAt: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

it('has a column for every member of the shape, whatever an item has, and one line for each item', () => {
  const items = [
    { id: 1, revokedAt: null },
    { id: -2.5, note: 'n', sender: { name: 'Ada' }, revokedAt: 'x', metadata: { a: 1 } },
  ];
  expect(toCsv(shape, items)).toBe('id,note,sender.name,revokedAt,metadata\r\n1,,,,\r\n-2.5,n,Ada,x,"{""a"":1}"\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=1'])('text that a spreadsheet would run is not: %j', (note) => {
  const [, line = ''] = /\r\n([^]*)\r\n$/.exec(toCsv(shape, [{ id: 1, note, revokedAt: null }])) ?? [];
  expect(line.replace(/^1,"?/, '').startsWith(`'${note}`)).toBe(true);
});

it('what has commas, quotation marks or lines in it stays one value', () => {
  const note = 'a,"b"\nc';
  expect(toCsv(shape, [{ id: 1, note, revokedAt: null }])).toContain('1,"a,""b""\nc",,,\r\n');
});
