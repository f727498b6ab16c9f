import { describe, expect, it } from 'vitest';
import { dueCheck } from '#modules/integrity';

const at = (text: string) => new Date(`2026-03-${text}:00Z`);
const run = (startedAt: Date, since: Date | null = null) => ({
  id: 1,
  since,
  startedAt,
  finishedAt: startedAt,
  ok: true,
  results: [],
});
const due = (now: string, lastWhole: string, last = lastWhole) =>
  dueCheck(at(now), { lastWhole: run(at(lastWhole)), last: run(at(last)) });
const WHOLE = { since: undefined };

describe('what is to be checked', () => {
  it('is everything where nothing was checked yet, or only what was new', () => {
    expect(dueCheck(at('02T12:00'), { last: undefined, lastWhole: undefined })).toEqual(WHOLE);
    const recent = run(at('02T11:59'), at('02T11:00'));
    expect(dueCheck(at('02T12:00'), { last: recent, lastWhole: undefined })).toEqual(WHOLE);
  });

  it('is everything from two o’clock in Lagos on, once a night', () => {
    expect(due('02T00:59', '01T01:00', '02T00:30')).toBeUndefined();
    expect(due('02T01:00', '01T23:00')).toEqual(WHOLE);
    expect(due('02T01:30', '02T01:00')).toBeUndefined();
    expect(due('04T00:30', '02T01:00', '04T00:10')).toEqual(WHOLE);
  });

  it('is what is new by day, an hour after the last check of any kind, with an overlap', () => {
    expect(due('02T01:59', '02T01:00')).toBeUndefined();
    expect(due('02T02:00', '02T01:00')).toEqual({ since: at('02T00:55') });
    expect(due('02T12:30', '02T01:00', '02T12:00')).toBeUndefined();
    expect(due('02T13:00', '02T01:00', '02T12:00')).toEqual({ since: at('02T11:55') });
  });

  it('is everything that is not sealed, where sealing is behind', () => {
    const runs = { lastWhole: run(at('02T01:00')), last: run(at('02T12:00')) };
    expect(dueCheck(at('02T13:00'), runs, at('02T09:00'))).toEqual({ since: at('02T09:00') });
    expect(dueCheck(at('02T13:00'), runs, at('02T12:00'))).toEqual({ since: at('02T11:55') });
  });
});
