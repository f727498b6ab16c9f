import { z } from 'zod';

/** True for a text that PostgreSQL can store: its `text` takes no NUL, and its `jsonb` no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Invisible characters, which come with text that is copied from a message, a page or a table. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const EVERY_INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
const BLANK = /[\s\p{White_Space}]/u;
/** The fast path: most texts begin and end with a visible ASCII character. */
const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f;

const isSeen = (character: string): boolean => !INVISIBLE.test(character) && !BLANK.test(character);

/** Text without the blanks, format characters and default-ignorable characters at both its ends. In one walk over them. */
export function trimInvisible(text: string): string {
  let end = text.length;
  while (end > 0 && !isPlain(text.charCodeAt(end - 1))) {
    const character = lastCharacter(text, end);
    if (isSeen(character)) break;
    end -= character.length;
  }
  let start = 0;
  while (start < end && !isPlain(text.charCodeAt(start))) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (isSeen(character)) break;
    start += character.length;
  }
  return text.slice(start, end);
}

/** The character that ends before this index. */
function lastCharacter(text: string, end: number): string {
  const code = text.codePointAt(end - 2) ?? 0;
  return code > 0xffff ? String.fromCodePoint(code) : text.slice(end - 1, end);
}

/** The same without invisible characters inside: for handles and days, in which blanks are validated. */
export const withoutInvisible = (text: string): string => trimInvisible(text).replaceAll(EVERY_INVISIBLE, '');

const EVERY_BLANK = /[\s\p{White_Space}]+/gu;

/** The same without blanks: for numbers, which people write in groups. */
export const withoutBlanks = (text: string): string => withoutInvisible(text).replaceAll(EVERY_BLANK, '');

const shapes = z.registry<{ isVerbatim: true }>();

/** Marks text that is validated unchanged: the blanks around a password are part of it. Other text is trimmed first. */
export const verbatim = <Shape extends z.ZodType>(shape: Shape): Shape => {
  shapes.add(shape, { isVerbatim: true });
  return shape;
};

/** Whether a shape, or the one it was refined from, is marked. */
export const isVerbatim = (shape: z.core.$ZodType): boolean => shapes.get(shape)?.isVerbatim === true;
