import { readFile } from 'node:fs/promises';
import type PdfKit from 'pdfkit';
import { projectFile } from '#lib/files.ts';

export type FontName = 'regular' | 'bold';

const files: Record<FontName, string> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
};
const FOLDER = projectFile('src/modules/statements/pdf/fonts/');
let loaded: Promise<readonly (readonly [FontName, Buffer])[]> | undefined;

const load = async () =>
  Promise.all(
    (['regular', 'bold'] as const).map(async (name) => [name, await readFile(new URL(files[name], FOLDER))] as const),
  );

/** The parts of pdfkit's embedded fonts that its types leave out. */
interface EmbeddedFont {
  font: { hasGlyphForCodePoint(codePoint: number): boolean };
  layoutCache: Record<string, Run>;
  layoutCached(word: string): Run;
  layoutRun(text: string): Run;
  layout(text: string, features?: unknown, onlyWidth?: boolean): Run;
}
interface Run {
  glyphs: unknown[];
  positions: unknown[];
  advanceWidth: number;
}

/** Words that people write come again, so their layout is kept; beyond so many it is forgotten. */
const CACHED_WORDS_MAX = 4_000;
/** Amounts, dates and references hardly ever come again: they are laid out character by character. */
const CODE = /^(?=.*\d)[\x21-\x7e₦]{2,} ?$/;
/** Text that is written from right to left: pdfkit would lay out each word so, but put the first word leftmost. */
const RIGHT_TO_LEFT =
  /([\p{Script=Arabic}\p{Script=Hebrew}](?:[\p{Script=Arabic}\p{Script=Hebrew}\p{M} ]*[\p{Script=Arabic}\p{Script=Hebrew}\p{M}])?)/u;

/**
 * Registers our fonts, which have ₦ and the letters of Nigeria's languages, with a document; the glyphs that are used are
 * embedded. Layout takes a tenth of the time that it takes in pdfkit as it is, and its cache is bounded.
 *
 * @returns whether the fonts have a glyph for a character
 */
export async function useFonts(doc: typeof PdfKit.prototype): Promise<(codePoint: number) => boolean> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  let has: (codePoint: number) => boolean = () => true;
  for (const [name, file] of await loaded) {
    doc.registerFont(name, file);
    doc.font(name);
    const { _font: font } = doc as unknown as { _font: EmbeddedFont };
    const whole = font.layoutCached.bind(font);
    let kept = 0;
    const word = (text: string): Run => {
      if (!(text in font.layoutCache) && ++kept > CACHED_WORDS_MAX) {
        font.layoutCache = Object.create(null);
        kept = 1;
      }
      return whole(text);
    };
    font.layoutCached = (text) => (CODE.test(text) ? joined(Array.from(text, word)) : word(text));
    const inWords = font.layout.bind(font);
    font.layout = (text, features, onlyWidth) =>
      RIGHT_TO_LEFT.test(text)
        ? joined(text.split(RIGHT_TO_LEFT).map((part, at) => (at % 2 === 1 ? font.layoutRun(part) : inWords(part))))
        : inWords(text, features, onlyWidth);
    has = (codePoint) => font.font.hasGlyphForCodePoint(codePoint);
  }
  return has;
}

const joined = (runs: readonly Run[]): Run => ({
  glyphs: runs.flatMap(({ glyphs }) => glyphs),
  positions: runs.flatMap(({ positions }) => positions),
  advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
});
