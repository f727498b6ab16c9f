import { expect, test } from 'vitest';
import { sql } from '#drizzle';
import { integer, pgTable, text, timestamp } from '#drizzle/pg-core';
import { rowMapper } from '#lib/row-mapper.ts';

const wallet = pgTable('wallet', { id: integer('id'), at: timestamp('at', { withTimezone: true, mode: 'date' }) });
const profile = pgTable('profile', { name: text('name'), note: text('note') });

const columns = [
  { path: ['wallet', 'id'], field: wallet.id },
  { path: ['wallet', 'at'], field: wallet.at },
  { path: ['profile', 'name'], field: profile.name },
  { path: ['profile', 'note'], field: profile.note },
  { path: ['count'], field: sql`count(*)`.mapWith(Number) },
];

test('a row becomes an object of objects, each value as its column reads it', () => {
  const toRow = rowMapper(columns, { wallet: true, profile: false });
  expect(toRow?.([7, '2026-11-22 18:00:00+00', 'Ada', null, '3'])).toEqual({
    wallet: { id: 7, at: new Date('2026-11-22T18:00:00Z') },
    profile: { name: 'Ada', note: null },
    count: 3,
  });
});

test('what a left join did not find is null, and what a join always finds is not', () => {
  const nothing = [null, null, null, null, '0'];
  expect(rowMapper(columns, { wallet: true, profile: false })?.(nothing)).toEqual({
    wallet: { id: null, at: null },
    profile: null,
    count: 0,
  });
  expect(rowMapper(columns, undefined)?.(nothing)).toMatchObject({ profile: { name: null, note: null } });
});

test('an object of columns of two tables is there, whatever was found', () => {
  const both = [
    { path: ['both', 'id'], field: wallet.id },
    { path: ['both', 'name'], field: profile.name },
  ];
  expect(rowMapper(both, {})?.([null, 'Ada'])).toEqual({ both: { id: null, name: 'Ada' } });
});
