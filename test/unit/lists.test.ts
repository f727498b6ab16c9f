import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { csvLine } from '#lib/text/output.ts';
import { toCsv } from '#wire/paging.ts';
import { springPage, springPaging } from '../../src/routes/switch/spring-page.ts';
import { listed } from '../support/cases.ts';
import { anyText } from '../support/texts.ts';

/**
 * Cases after what Spring Data documents and tests of PageableHandlerMethodArgumentResolver, SortHandlerMethodArgumentResolver
 * and PageImpl (DATACMNS-335, 366, 377, 379, 408, 658, 1551), with `createdAt,desc` as the @PageableDefault.
 */
const paging = springPaging(
  ['amount', 'reference', 'createdAt'],
  [{ property: 'createdAt', isDescending: true, ignoresCase: false }],
);
const read = (query: string) => {
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const before = given[name];
    given[name] = before === undefined ? value : [before, value].flat();
  }
  return paging.safeParse(given);
};
const resolved = (query: string) => {
  const { success, data, error } = read(query);
  if (!success) throw error;
  const sort = data.sort.map(({ property, isDescending, ignoresCase }) =>
    [property, isDescending ? 'DESC' : 'ASC', ...(ignoresCase ? ['ignoring case'] : [])].join(' '),
  );
  return { page: data.page, size: data.size, sort };
};

describe('page and size', () => {
  it.each([
    ['', 0, 20],
    ['page=3&size=7', 3, 7],
    ['page=3', 3, 20],
    ['size=7', 0, 7],
    ['page=-1', 0, 20],
    ['page=a', 0, 20],
    ['page=', 0, 20],
    ['page=%20', 0, 20],
    ['page=1.5', 0, 20],
    ['page=1e3', 0, 20],
    ['page=0x10', 0, 20],
    ['page=%2B2', 2, 20],
    ['page=007', 7, 20],
    ['page=2147483647', 2147483647, 20],
    ['page=2147483648', 2147483647, 20],
    ['page=99999999999999999999999999', 2147483647, 20],
    ['page=-2147483648', 0, 20],
    ['page=4&page=9', 4, 20],
    ['size=0', 0, 20],
    ['size=-5', 0, 20],
    ['size=a', 0, 20],
    ['size=', 0, 20],
    ['size=1', 0, 1],
    ['size=2000', 0, 2000],
    ['size=2001', 0, 2000],
    ['size=2147483647', 0, 2000],
    ['size=2147483648', 0, 20],
    ['size=5&size=9', 0, 5],
  ])('%j is page %i of size %i', (query, page, size) => {
    expect(resolved(query)).toMatchObject({ page, size });
  });
});

describe('sort', () => {
  it.each([
    ['', ['createdAt DESC']],
    ['sort=', ['createdAt DESC']],
    ['sort=,', ['createdAt DESC']],
    ['sort=,DESC', ['createdAt DESC']],
    ['sort=desc', ['createdAt DESC']],
    ['sort=asc', ['createdAt DESC']],
    ['sort=ignorecase', ['createdAt DESC']],
    ['sort=.', ['createdAt DESC']],
    ['sort=.,ASC', ['createdAt DESC']],
    ['sort=amount', ['amount ASC']],
    ['sort=amount,asc', ['amount ASC']],
    ['sort=amount,ASC', ['amount ASC']],
    ['sort=amount,Desc', ['amount DESC']],
    ['sort=amount,reference', ['amount ASC', 'reference ASC']],
    ['sort=amount,reference,desc', ['amount DESC', 'reference DESC']],
    ['sort=amount,,DESC', ['amount DESC']],
    ['sort=amount,desc,', ['amount DESC']],
    ['sort=amount,desc&sort=', ['amount DESC']],
    ['sort=amount,desc&sort=reference', ['amount DESC', 'reference ASC']],
    ['sort=reference,IgnoreCase', ['reference ASC ignoring case']],
    ['sort=reference,DESC,IgnoreCase', ['reference DESC ignoring case']],
    ['sort=reference,amount,DESC,ignorecase', ['reference DESC ignoring case', 'amount DESC ignoring case']],
    ['sort=amount&sort=amount,desc', ['amount ASC', 'amount DESC']],
  ])('%j is %j', (query, sort) => {
    expect(resolved(query).sort).toEqual(sort);
  });

  it.each(listed`
    sort=nothing | sort=amount,nothing,desc | sort=desc,amount | sort=amount,ignorecase,desc | sort=Amount
    sort=amount%20desc | sort=amount;drop | sort=constructor | sort=__proto__,desc | sort=amount.id
  `)('%j names a property that is none', (query) => {
    const { success, error } = read(query);
    expect(success).toBe(false);
    expect(error?.issues).toMatchObject([{ path: ['sort'], message: 'must be of amount, reference, createdAt' }]);
  });
});

describe('a page', () => {
  const sort = [{ property: 'amount', isDescending: true, ignoresCase: true }];
  it.each([
    // total, page, size, items on it: totalPages, first, last, empty, offset
    [0, 0, 20, 0, 0, true, true, true, 0],
    [1, 0, 20, 1, 1, true, true, false, 0],
    [20, 0, 20, 20, 1, true, true, false, 0],
    [21, 0, 20, 20, 2, true, false, false, 0],
    [21, 1, 20, 1, 2, false, true, false, 20],
    [50, 1, 20, 20, 3, false, false, false, 20],
    [21, 2, 20, 0, 2, false, true, true, 40],
    [0, 5, 20, 0, 0, false, true, true, 100],
    [3, 2147483647, 2000, 0, 1, false, true, true, 4294967294000],
  ])('of %i, number %i of size %i', (total, page, size, items, totalPages, first, last, empty, offset) => {
    const content = Array.from({ length: items }, (_, at) => at);
    const order = { direction: 'DESC', nullHandling: 'NATIVE', ascending: false, property: 'amount', ignoreCase: true };
    expect(springPage(content, total, { page, size, sort })).toEqual({
      content,
      totalElements: total,
      totalPages,
      numberOfElements: items,
      number: page,
      size,
      first,
      last,
      empty,
      sort: [order],
      pageable: { offset, sort: [order], pageNumber: page, pageSize: size, unpaged: false, paged: true },
    });
  });
});

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
    fc.property(fc.array(anyText({ maxLength: 40 }), { minLength: 2, maxLength: 5 }), (cells) => {
      expect(parse(csvLine(cells))).toMatchObject([{ length: cells.length }]);
    }),
  );
});

it('what has commas, quotation marks or lines in it stays one value', () => {
  const note = 'a,"b"\nc';
  expect(toCsv(shape, [{ ref: 1, note, revokedAt: null }])).toContain('1,"a,""b""\nc",,,\r\n');
});
