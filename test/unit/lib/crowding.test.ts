import { afterEach, expect, it, vi } from 'vitest';
import { boundsOf, createAdmission } from '../../../src/lib/admission.ts';
import { opened } from './opened-admission.ts';

afterEach(() => void vi.useRealTimers());

it('lets nobody of one caller wait any longer either, and others as in a burst', () => {
  const { admission, enterMany, tick, of, started } = opened();
  const burst = enterMany(60, 'ada');
  tick(90);
  expect(of(burst, undefined)).toBe(48);
  tick(920);
  expect(of(burst, true)).toBe(12);
  expect(of(burst, undefined)).toBe(0);
  expect(of(enterMany(2, 'ada'), undefined)).toBe(2);
  expect(admission.wouldRefuse('ada')).toBe(true);
  const others = enterMany(10, 'bola');
  expect(of(others, true)).toBe(4);
  expect(of(others, undefined)).toBe(6);

  for (const task of started) admission.leave(task);
  tick(110);
  expect(of(enterMany(40, 'ada'), undefined)).toBe(28);
});

it('lets in a quarter in a flood, and all again once it has ended or there is a place', () => {
  const { admission, enterMany, tick, of, started } = opened();
  const asked = () => [...enterMany(40, 'ada'), ...enterMany(40, 'bola')];
  const endAll = () => {
    for (const task of started.splice(0)) admission.leave(task);
  };
  admission.flood(true);
  expect(of(asked(), true)).toBe(16);
  tick(110);
  endAll();
  endAll();
  expect(of(asked(), true)).toBe(4);
  admission.flood(false);
  tick(10);
  expect(of(asked(), true)).toBe(12);

  admission.flood(true);
  tick(10);
  endAll();
  tick(110);
  expect(of(asked(), true)).toBe(16);
});

it('finds a place for another in a flood too, however many tasks of one caller never end', () => {
  const { admission, enterMany, tick, of, started } = opened();
  enterMany(40, 'ada');
  enterMany(40, 'bola');
  tick(110);
  admission.flood(true);
  for (const task of started) if (task.caller === 'bola') admission.leave(task);
  tick(10);
  expect(of(enterMany(1, 'chidi'), true)).toBe(1);
  expect(of(enterMany(4, 'ada'), true)).toBe(0);
  expect(of(enterMany(4, 'bola'), true)).toBe(0);
});

it('is over once everybody has left, whether or not anybody asks again', () => {
  const { admission, enterMany, tick, started } = opened();
  enterMany(40, 'ada');
  enterMany(40, 'bola');
  tick(110);
  expect(admission.isTooMuch).toBe(true);
  for (const task of started) admission.leave(task);
  tick(110);
  expect(admission.isTooMuch).toBe(false);
});

it('is not over while what comes late is refused unasked, whatever places there are', () => {
  const { admission, enterMany, tick, started } = opened();
  enterMany(40, 'ada');
  enterMany(40, 'bola');
  tick(110);
  for (const task of started) admission.leave(task);
  tick(60);
  admission.refusedUnasked();
  tick(60);
  expect(admission.isTooMuch).toBe(true);
  tick(60);
  expect(admission.isTooMuch).toBe(false);
});

it('tells of a flood as it begins, and once each server has seen its end', () => {
  const told: boolean[] = [];
  const admission = createAdmission(boundsOf(16), { onFlood: (isOne) => told.push(isOne) });
  admission.flood(true);
  expect(told).toEqual([true]);
  admission.flood(true);
  admission.flood(false);
  expect(told).toEqual([true]);
  admission.flood(false);
  expect(told).toEqual([true, false]);
});
