import { describe, expect, it } from 'vitest';
import { createGuessLimit } from '#http/overload.ts';

describe('the limit of guesses', () => {
  function opened() {
    const clock = { ms: 0 };
    const limit = createGuessLimit(() => clock.ms);
    const lookedUp = (count: number) => Array.from({ length: count }, () => limit.take()).filter(Boolean).length;
    return { clock, limit, lookedUp };
  }

  it('looks up a thousand wrong credentials at once, and five hundred in each second', () => {
    const { clock, lookedUp } = opened();
    expect(lookedUp(5000)).toBe(1000);
    clock.ms += 1000;
    expect(lookedUp(5000)).toBe(500);
    clock.ms += 10;
    expect(lookedUp(5000)).toBe(5);
    clock.ms += 3_600_000;
    expect(lookedUp(5000)).toBe(1000);
  });

  it('looks up all that are right', () => {
    const { clock, limit, lookedUp } = opened();
    for (let turn = 0; turn < 100; turn += 1) {
      expect(lookedUp(1000)).toBe(1000);
      for (let n = 0; n < 1000; n += 1) limit.giveBack();
      clock.ms += 1;
    }
    expect(lookedUp(5000)).toBe(1000);
  });
});
