import { describe, expect, test } from 'vitest';
import { rooms } from './rooms.ts';
import { imagine, type Rule, type Source } from './source.ts';

/** A rule, files that break it, and files beside them that do not. */
export interface RuleCase {
  readonly rule: Rule;
  readonly broken: Readonly<Record<string, string>>;
  readonly fine: Readonly<Record<string, string>>;
}

/** Holds rules in the project, and shows of each what it refuses and what it does not. */
export function describeRules(rules: readonly RuleCase[], source: readonly Source[]): void {
  describe.each(rules.map((one) => ({ ...one, name: one.rule.name })))('$name', ({ rule, broken, fine }) => {
    test('holds in the project', () => {
      expect(rule(source)).toEqual([]);
    });

    test.each(Object.entries(broken))('is broken by %s', (path, text) => {
      expect(rule(imagine({ ...rooms, [path]: text }))).not.toEqual([]);
    });

    test('asks no more than that', () => {
      expect(rule(imagine({ ...rooms, ...fine }))).toEqual([]);
    });
  });
}
