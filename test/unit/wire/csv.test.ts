import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { csvLine } from '#lib/csv.ts';
import { toCsv } from '#wire/csv.ts';

const shape = z.object({
  ref: z.int(),
  note: z.string().optional(),
  sender: z.object({ name: z.string().optional() }).optional(),
  revokedAt: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

it('has a column for every member of the shape, whatever an item has, and one line for each item', () => {
  const items = [
    { ref: 1, revokedAt: null },
    { ref: -2.5, note: 'n', sender: { name: 'Ada' }, revokedAt: 'x', metadata: { a: 1 } },
  ];
  expect(toCsv(shape, items)).toBe(
    '\ufeffref,note,sender.name,revokedAt,metadata\r\n1,,,,\r\n-2.5,n,Ada,x,"{""a"":1}"\r\n',
  );
});

it('does not begin with ID, by which Excel takes a file for SYLK, nor without a byte order mark', () => {
  const withId = z.object({ ID: z.int(), Type: z.string(), Amount: z.number() });
  expect(toCsv(withId, [{ ID: 1, Type: 'INBOUND', Amount: -5 }])).toBe('\ufeffType,ID,Amount\r\nINBOUND,1,-5\r\n');
});

/** The signs that begin a formula, in each form in which some spreadsheet reads them. */
const SIGNS = '=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻−'.split('');

it.each(SIGNS)('no cell begins with %s, in whichever locale it is read', (sign) => {
  const formula = `${sign}cmd|' /C calc'!A0`;
  const texts = [
    formula,
    ` ${formula}`,
    `\u00a0${formula}`,
    `\u202e${formula}`,
    `\u200b\ufeff${formula}`,
    `\u0000${formula}`,
    `\u001b${formula}`,
    `"${formula}`,
    `'"${formula}`,
    `\t${formula}`,
    `\r${formula}`,
    `\n${formula}`,
    `lunch;${formula}`,
    `lunch; ${formula}`,
    `lunch;"${formula}"`,
    `lunch\t${formula}`,
    `lunch\r${formula}`,
    `lunch\n${formula}`,
    `lunch\u2028${formula}`,
    `lunch";${formula}`,
    `lunch;;${formula}`,
  ];
  for (const text of texts) {
    const line = csvLine([text, 'after']);
    for (const cell of line.split(/[,;\t\r\n]/))
      expect(cell.replace(/^[\s"]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻−]/);
    expect(parse(line)).toHaveLength(1);
  }
});

it('a number is left as it is, and so is what only has such a sign within', () => {
  expect(csvLine([-12.5, -3, 0.5, 'a-b', '1+1=2', 'ada@example.com', 'a; b', true])).toBe(
    '-12.5,-3,0.5,a-b,1+1=2,ada@example.com,"a; b",true\r\n',
  );
});

it('whatever is written is read again as one line of as many cells', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 2, maxLength: 5 }), (cells) => {
      expect(parse(csvLine(cells))).toMatchObject([{ length: cells.length }]);
    }),
  );
});

it('what has commas, quotation marks or lines in it stays one value', () => {
  const note = 'a,"b"\nc';
  expect(toCsv(shape, [{ ref: 1, note, revokedAt: null }])).toContain('1,"a,""b""\nc",,,\r\n');
});
