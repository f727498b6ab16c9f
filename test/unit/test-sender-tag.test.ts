import { expect, it } from 'vitest';
import { testSenderTag } from '../../src/modules/sandbox/test-sender-tag.ts';

it('never spells a name that nobody may have', () => {
  const drawn = ['7efcc4f0', 'efcc1900', '0b5c1d77'];
  expect(testSenderTag(() => drawn.shift() ?? '')).toBe('test-sender-0b5c1d');
});
