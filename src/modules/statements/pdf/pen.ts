import PdfKit from 'pdfkit';
import { type FontName, useFonts } from './fonts.ts';
import { type Tags, tagsOf } from './tags.ts';

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 40 } as const;
export const WIDTH = PAGE.width - 2 * PAGE.margin;

export const INK = '#16202e';
export const MUTED = '#5f6b7a';
export const RULE = '#d8dee6';
const BAND = '#f1f5f4';
export const ACCENT = '#0a5c4a';

export interface TextStyle {
  font?: FontName;
  size: number;
  color?: string;
  align?: 'left' | 'right';
}

/** A document that is written from its first page to its last. */
export interface Pen {
  readonly doc: typeof PdfKit.prototype;
  readonly tags: Tags;
  /**
   * One line of text in a box: too long a text ends with an ellipsis. `y` is where its letters' box begins. A space at its
   * end is for who has it read out: there what stands below follows at once.
   */
  text(text: string, box: { x: number; y: number; width: number }, style: TextStyle): void;
  /** The same, made smaller where it is too long, as far as it can be read: for what must be there whole. */
  whole(text: string, box: { x: number; y: number; width: number }, style: TextStyle): void;
  /** What of a text has room in a line, broken at a space where it can be, and what has not. */
  broken(text: string, width: number, style: Pick<TextStyle, 'font' | 'size'>): [line: string, rest: string];
  /** For the eye alone, as a band is. */
  rule(y: number, color?: string, thickness?: number): void;
  band(y: number, height: number, color?: string): void;
  /** All that was written since the last time: one read gives a part of it. */
  taken(): Buffer;
}

/** The largest amount that there can be has room in its column at this size. */
const SMALLEST = 4.5;
/** No line of a page has room for more characters. */
const TEXT_MAX = 320;
const graphemes = new Intl.Segmenter('en');

export async function newPen(info: { title: string; subject: string; at: Date }): Promise<Pen> {
  const doc = new PdfKit({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-NG',
    displayTitle: true,
    info: { Title: info.title, Subject: info.subject, Author: 'PayTag', Creator: 'PayTag', CreationDate: info.at },
  });
  const has = await useFonts(doc);
  const tags = tagsOf(doc);

  /** In one line, without what has no look of its own; what the font lacks is a box. */
  const shown = (text: string): string => {
    const line = text.slice(0, TEXT_MAX).normalize('NFC').replace(/\s+/g, ' ');
    const visible = line.replace(/[\p{C}\uFE00-\uFE0F]/gu, '');
    return Array.from(visible, (character) => (has(character.codePointAt(0) ?? 0) ? character : '□')).join('');
  };

  const beginning = (text: string, width: number): string => {
    let [left, kept] = [width, ''];
    for (const { segment } of graphemes.segment(text)) {
      left -= doc.widthOfString(segment);
      if (left < 0) break;
      kept += segment;
    }
    return kept;
  };

  const cut = (text: string, width: number): string =>
    doc.widthOfString(text.trimEnd()) <= width ? text : `${beginning(text, width - doc.widthOfString('…')).trimEnd()}…`;

  const put = (text: string, { x, y, width }: { x: number; y: number; width: number }, style: TextStyle) => {
    const shift = style.align === 'right' ? width - doc.widthOfString(text) : 0;
    if (text !== '') doc.fillColor(style.color ?? INK).text(text, x + shift, y, { lineBreak: false });
  };

  return {
    doc,
    tags,
    text(text, box, style) {
      doc.font(style.font ?? 'regular').fontSize(style.size);
      put(cut(shown(text), box.width), box, style);
    },
    whole(given, box, style) {
      const text = shown(given);
      doc.font(style.font ?? 'regular').fontSize(style.size);
      const fitting = Math.min(1, box.width / doc.widthOfString(text));
      const size = Math.max(SMALLEST, style.size * fitting);
      doc.fontSize(size);
      const fitted = size > SMALLEST ? text : cut(text, box.width);
      put(fitted, { ...box, y: box.y + (style.size - size) * 0.9 }, style);
    },
    broken(given, width, style) {
      const text = shown(given);
      doc.font(style.font ?? 'regular').fontSize(style.size);
      if (doc.widthOfString(text) <= width) return [text, ''];
      const line = beginning(text, width);
      const space = line.lastIndexOf(' ');
      const end = space > 0 ? space : line.length;
      return [line.slice(0, end), text.slice(end).trimStart()];
    },
    rule(y, color = RULE, thickness = 0.6) {
      tags.artifact(() => doc.rect(PAGE.margin, y, WIDTH, thickness).fill(color));
    },
    band(y, height, color = BAND) {
      tags.artifact(() => doc.rect(PAGE.margin, y, WIDTH, height).fill(color));
    },
    taken() {
      const parts: Buffer[] = [];
      for (let part = doc.read(); part !== null; part = doc.read()) parts.push(part as Buffer);
      return Buffer.concat(parts);
    },
  };
}
