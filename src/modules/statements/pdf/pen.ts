import type PdfKit from 'pdfkit';
import type { Brand, Logo } from '#lib/brand.ts';
import { lazy } from '#lib/lazy.ts';
import { qrPath } from '#lib/qr-code.ts';
import { cleaned } from '#lib/text/output.ts';
import { type FontName, useFonts } from './fonts.ts';

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 40 } as const;

export const WIDTH = PAGE.width - 2 * PAGE.margin;

export const INK = '#16202e';

export const MUTED = '#5f6b7a';

export const RULE = '#d8dee6';

const BAND = '#f1f5f4';

/** Behind the text, on every page of a statement of money that is not real. */
const WATERMARK = '#f6dedb';

export interface TextStyle {
  font?: FontName;
  size: number;
  color?: string;
  align?: 'left' | 'right';
}

/** Writes a document from its first page to its last. */
export interface Pen {
  readonly doc: typeof PdfKit.prototype;
  readonly structure: Structure;
  /** Whose document it is: its colour is that of headings. */
  readonly brand: Brand;
  /**
   * Writes one line of text in a box; a text that is too long ends with an ellipsis. `y` is the top of the line. End a text
   * with a space where another follows below it: a screen reader reads the two without a pause.
   */
  text(text: string, box: { x: number; y: number; width: number }, style: TextStyle): void;
  /** Writes text that must not be cut: a text that is too long is made smaller, down to a size that can still be read. */
  fittedText(text: string, box: { x: number; y: number; width: number }, style: TextStyle): void;
  /** Splits a text into what fits in a line and the rest, at a space where there is one. */
  splitLine(text: string, width: number, style: Pick<TextStyle, 'font' | 'size'>): [line: string, rest: string];
  /** A horizontal line, which a screen reader passes over. */
  rule(y: number, color?: string, thickness?: number): void;
  /** A coloured background, which a screen reader passes over. */
  band(y: number, height: number, color?: string): void;
  /** A PNG, as large as it can be in a box. */
  logo(logo: Logo, box: { x: number; y: number; width: number; height: number }): void;
  /** A QR code that says `text`. */
  qr(text: string, box: { x: number; y: number; size: number }): void;
  /** Large letters across the page, under what is written after them; a screen reader passes over them. */
  watermark(text: string): void;
  /** The bytes of the document that were written since the last call. */
  takeOutput(): Buffer;
}

/** At this size the largest possible amount fits in its column. */
const SIZE_MIN = 4.5;

/** No line of a page has room for more characters. */
const CHARACTERS_MAX = 320;

const graphemes = lazy(() => new Intl.Segmenter('en'));

/** Begins a tagged PDF (ISO 32000-1, 14.8). pdfkit is loaded with the first one. */
export async function newPen(brand: Brand, info: { title: string; subject: string; at: Date }): Promise<Pen> {
  const { default: Document } = await import('pdfkit');
  const doc = new Document({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    font: '', // ours come next, and pdfkit's own are no part of a bundle
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-NG',
    displayTitle: true,
    info: { Title: info.title, Subject: info.subject, Author: brand.name, Creator: 'PayTag', CreationDate: info.at },
  });
  const hasGlyph = await useFonts(doc);
  const structure = structureOf(doc);

  /** The text in one line, without invisible characters, and with a box for each character that the font lacks. */
  const printable = (text: string): string => {
    const line = cleaned(text.slice(0, CHARACTERS_MAX)).normalize('NFC').replace(/\s+/g, ' ');
    const visible = line.replace(/[\p{C}\uFE00-\uFE0F]/gu, '');
    return Array.from(visible, (character) => (hasGlyph(character.codePointAt(0) ?? 0) ? character : '□')).join('');
  };

  /** As many whole characters of a text as fit in a width. */
  const beginning = (text: string, width: number): string => {
    let [left, taken] = [width, ''];
    for (const { segment } of graphemes().segment(text)) {
      left -= doc.widthOfString(segment);
      if (left < 0) break;
      taken += segment;
    }
    return taken;
  };

  const truncated = (text: string, width: number): string =>
    doc.widthOfString(text.trimEnd()) <= width ? text : `${beginning(text, width - doc.widthOfString('…')).trimEnd()}…`;

  const put = (text: string, { x, y, width }: { x: number; y: number; width: number }, style: TextStyle) => {
    const shift = style.align === 'right' ? width - doc.widthOfString(text) : 0;
    if (text !== '') doc.fillColor(style.color ?? INK).text(text, x + shift, y, { lineBreak: false });
  };

  return {
    doc,
    structure,
    brand,
    text(text, box, style) {
      doc.font(style.font ?? 'regular').fontSize(style.size);
      put(truncated(printable(text), box.width), box, style);
    },
    fittedText(given, box, style) {
      const text = printable(given);
      doc.font(style.font ?? 'regular').fontSize(style.size);
      const fitting = Math.min(1, box.width / doc.widthOfString(text));
      const size = Math.max(SIZE_MIN, style.size * fitting);
      doc.fontSize(size);
      const fitted = size > SIZE_MIN ? text : truncated(text, box.width);
      put(fitted, { ...box, y: box.y + (style.size - size) * 0.9 }, style);
    },
    splitLine(given, width, style) {
      const text = printable(given);
      doc.font(style.font ?? 'regular').fontSize(style.size);
      if (doc.widthOfString(text) <= width) return [text, ''];
      const line = beginning(text, width);
      const space = line.lastIndexOf(' ');
      const end = space > 0 ? space : line.length;
      return [line.slice(0, end), text.slice(end).trimStart()];
    },
    rule(y, color = RULE, thickness = 0.6) {
      structure.artifact(() => doc.rect(PAGE.margin, y, WIDTH, thickness).fill(color));
    },
    band(y, height, color = BAND) {
      structure.artifact(() => doc.rect(PAGE.margin, y, WIDTH, height).fill(color));
    },
    logo({ bytes }, { x, y, width, height }) {
      doc.image(bytes, x, y, { fit: [width, height], valign: 'center' });
    },
    qr(text, { x, y, size }) {
      const { viewBox, path } = qrPath(text);
      const [left = 0, top = 0, modules = 1] = viewBox.split(' ').map(Number);
      const scale = size / modules;
      doc
        .save()
        .translate(x - left * scale, y - top * scale)
        .scale(scale);
      doc.path(path).fill(INK).restore();
    },
    watermark(text) {
      const size = 150;
      structure.artifact(() => {
        doc
          .save()
          .rotate(-35, { origin: [PAGE.width / 2, PAGE.height / 2] })
          .font('bold')
          .fontSize(size);
        const x = (PAGE.width - doc.widthOfString(text)) / 2;
        doc
          .fillColor(WATERMARK)
          .text(text, x, PAGE.height / 2 - size / 2, { lineBreak: false })
          .restore();
      });
    },
    takeOutput() {
      const parts: Buffer[] = [];
      for (let part = doc.read(); part !== null; part = doc.read()) parts.push(part as Buffer);
      return Buffer.concat(parts);
    },
  };
}

/** Standard structure types (ISO 32000-1, 14.8.4). */
type Role = 'Document' | 'H1' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD';

/** An element of a document's structure. It stays in memory until it is ended. */
export interface Element {
  /** Begins an element inside this one. */
  open(role: Role): Element;
  /** Adds an element inside this one, with what `write` writes. */
  add(role: Role, write: () => void): void;
  end(): void;
}

/** What a screen reader reads of a document, and in which order: the tags of a tagged PDF. */
export interface Structure {
  /** The root element. */
  document: Element;
  /** Writes what a screen reader passes over: rules, bands, and what each page repeats. */
  artifact(write: () => void): void;
  /** Writes out and forgets the elements of the current page. Called when nothing more is written on it. */
  endPage(): void;
}

type Doc = typeof PdfKit.prototype;

/** The parts of pdfkit in which it keeps the elements of every page until the document ends; its types leave them out. */
interface Internals {
  page: { dictionary: { data: { StructParents?: number } } };
  getStructParentTree(): { get(key: number): unknown; add(key: number, value: unknown): void };
  ref(data: unknown): { data: unknown; end(): void };
}

/** Begins the structure of a document (ISO 32000-1, 14.7). Only the elements of the current page are held in memory. */
function structureOf(doc: Doc): Structure {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const elementOf = (element: ReturnType<Doc['struct']>): Element => ({
    open(role) {
      const child = doc.struct(role);
      element.add(child);
      return elementOf(child);
    },
    add(role, write) {
      element.add(doc.struct(role, role === 'TH' ? { scope: 'Column' } : {}, write));
    },
    end: () => element.end(),
  });
  return {
    document: elementOf(root),
    artifact(write) {
      doc.markContent('Artifact');
      write();
      doc.endMarkedContent();
    },
    endPage() {
      const internals = doc as unknown as Internals;
      const key = internals.page.dictionary.data.StructParents;
      if (key === undefined) return;
      const elements = internals.ref(internals.getStructParentTree().get(key));
      elements.end();
      elements.data = {};
      internals.getStructParentTree().add(key, elements);
    },
  };
}
