import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml } from '#lib/html.ts';
import { cleaned } from '#lib/others-text.ts';

it.each([
  ['an escape sequence', 'pay \u001b[31mnow\u001b[0m', 'pay [31mnow[0m'],
  ['one of eight bits', 'pay\u009b2J', 'pay2J'],
  ['a title of a terminal', 'a\u001b]0;root\u0007b', 'a]0;rootb'],
  ['text turned round', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['isolates', 'a\u2066b\u2069c\u2067d\u2068', 'abcd'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ['what nobody sees', 'a\u200bb\u00adc\u2060d\ufeffe\u3164f\u{e0041}g\u115fh', 'abcdefgh'],
  ['annotations', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['noughts, bells and deletes', 'a\u0000b\u0007c\u007fd\bd', 'abcdd'],
  ['line ends of every kind', 'a\r\nb\rc\u2028d\u2029e\u0085f', 'a\nb\nc\nd\ne\nf'],
  ['half a character', 'a\ud83d b', 'a\ufffd b'],
  ['a heap of marks', `a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(4)}b`],
])('%s does nothing to whoever looks at it', (_, text, shown) => {
  expect(cleaned(text)).toBe(shown);
  expect(escapeHtml(text)).toBe(shown);
});

it.each(['Ẹ̀kọ́ àti ìṣẹ́', 'مرحبا', '👩‍👩‍👧 👍🏽 ☎️', 'नमस्ते', 'می‌خواهم', 'two\nlines\tand a tab', 'ADA OBI & Sons <b>'])(
  'what people write stays: %s',
  (text) => expect(cleaned(text)).toBe(text),
);

it('a text that is clean stays so, and nothing that acts is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = cleaned(text);
      expect(cleaned(once)).toBe(once);
      expect(once).not.toMatch(/[^\P{Cc}\n\t]|[\p{Bidi_C}\u2028\u2029]/u);
    }),
  );
});
