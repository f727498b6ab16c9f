import { expect, it } from 'vitest';
import type { Column } from '#wire/operator-operations.ts';
import { cardOf, momentOf, tableOf } from '../../../src/cli/server/table.ts';

const WIDE = { width: undefined, utc: true };
const columns: Column[] = [
  { name: 'id', kind: 'id' },
  { name: 'sender.name', kind: 'text' },
  { name: 'amount', kind: 'money' },
  { name: 'status', kind: 'text', values: ['OK'] },
  { name: 'note', kind: 'text' },
];

it('text stays text, whatever somebody was called: nothing moves the cursor, hides a line or turns it around', () => {
  const evil = 'Evil\u001b[2J\u001b]0;x\u0007\u202e\u009b31m\r\nPay\u200b\u2066\ufeff';
  const items = [{ id: evil, sender: { name: evil }, amount: 1, status: 'OK', note: [evil], [evil]: { a: evil } }];
  for (const { text } of [tableOf(columns, items, WIDE), cardOf(columns, items[0], WIDE)]) {
    expect(text).toContain('Evil\\u001b[2J');
    expect(text.replaceAll('\n', '')).toMatch(/^[^\p{C}]+$/u);
  }
});

it('amounts stand right, with two decimals and their thousands apart, below zero too; wide letters take two places', () => {
  const items = [
    { id: '1', sender: { name: 'Ada' }, amount: 9_999_999_999_999.99 },
    { id: '2', sender: { name: '青木' }, amount: -1500.5 },
    { id: '3', sender: { name: 'Adé' }, amount: 0 },
  ];
  expect(tableOf(columns, items, WIDE).text.split('\n')).toEqual([
    'ID  SENDER NAME                AMOUNT',
    '1   Ada          9,999,999,999,999.99',
    '2   青木                    -1,500.50',
    '3   Adé                          0.00',
    '',
  ]);
});

it('where there is no room what matters least is left out and named; what was asked for stays, uncut', () => {
  const items = [{ id: '1', sender: { name: 'Ada' }, amount: 1, status: 'OK', note: 'x'.repeat(60) }];
  const narrow = tableOf(columns, items, { width: 40, utc: true });
  expect(narrow).toMatchObject({
    left: ['note'],
    text: expect.stringMatching(/^ID {2}SENDER NAME {2}AMOUNT {2}STATUS\n/),
  });
  expect(tableOf(columns, items, { width: 200, utc: true }).text).toContain(`${'x'.repeat(47)}…`);
  const asked = tableOf(columns, items, { width: 20, utc: true, only: ['note', 'id'] });
  expect(asked).toMatchObject({ left: [], text: expect.stringMatching(/^NOTE +ID\n/) });
});

it('a time is shown to the second, and text that is none as it is', () => {
  expect(momentOf('2026-01-31T08:00:00.999Z', true)).toBe('2026-01-31 08:00:00');
  expect(momentOf('soon', false)).toBe('soon');
});
