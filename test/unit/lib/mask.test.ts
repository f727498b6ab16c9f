import { expect, it } from 'vitest';
import { maskEmail, maskName, maskNumber, maskProse } from '#lib/mask.ts';

it.each([
  ['call 08031234567 or +234 803 123 4567', 'call *** or ***'],
  ['BVN 22212340001, as ada@example.com says', 'BVN ***, as *** says'],
  ['ticket 77, PW-0123456789, ₦1500000', 'ticket 77, PW-0123456789, ₦1500000'],
  ['0199712345678-7b3f-8a2c-1234567890ab', '0199712345678-7b3f-8a2c-1234567890ab'],
  ['01997a3c-5d1e-7b3f-8a2c-123456789012', '01997a3c-5d1e-7b3f-8a2c-123456789012'],
])('of what operators write, numbers and addresses of people are hidden, and no ids: %s', (text, masked) => {
  expect(maskProse(text)).toBe(masked);
});

it('a name keeps its initials, an address its domain, a number its last digits unless it is short', () => {
  expect(maskName('Ada  Ọbi-Eze')).toBe('A***  Ọ***');
  expect(maskEmail('ada@example.com')).toBe('a***@example.com');
  expect(maskNumber('0123456789')).toBe('******6789');
  expect(maskNumber('1234567')).toBe('***');
});
