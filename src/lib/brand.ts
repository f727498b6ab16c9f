import type { Colour } from './colour.ts';
import { type Html, html } from './html.ts';

/** A picture that stands in pages and documents. */
export interface Logo {
  contentType: 'image/png' | 'image/svg+xml';
  bytes: Buffer;
  /** In pixels; of an SVG those of its own coordinates. What counts is their ratio. */
  width: number;
  height: number;
}

/** Colours of a brand. All that are text or bear text are readable there (WCAG 2.2 AA, a contrast of 4.5 or more). */
export interface BrandColours {
  /** Text, rules and buttons on a light background. */
  accent: Colour;
  /** Text on the accent. */
  onAccent: Colour;
  /** Of a button under the pointer: the accent, darker. */
  deep: Colour;
  /** The same on a dark background. */
  dark: { accent: Colour; onAccent: Colour; deep: Colour };
}

/** Who runs this server, as people see it on pages, on statements and in messages. */
export interface Brand {
  /** Of the institution; `PayTag` where none is configured. */
  name: string;
  /** Undefined: its name is shown. */
  logo: Logo | undefined;
  /** What a PDF shows, which can be a PNG alone. Undefined: its name is shown. */
  pdfLogo: Logo | undefined;
  colours: BrandColours;
  /** In one line. */
  address: string | undefined;
  /** Who licensed it, in its own words. */
  licence: string | undefined;
  /** Where customers find help. */
  support: { email: string | undefined; phone: string | undefined };
}

/** Where to find help, e.g. `help@example.com or +234 700 000 0000`; undefined where nothing is configured. */
export function supportText({ support: { email, phone } }: Brand): string | undefined {
  const contacts = [email, phone].filter((contact) => contact !== undefined);
  return contacts.length === 0 ? undefined : contacts.join(' or ');
}

/** What stands under a mail: who sent it, and where to find help. */
export function signatureOf(brand: Brand): string {
  const help = supportText(brand);
  return [brand.name, brand.address, brand.licence, help && `Help: ${help}`].filter(Boolean).join('\n');
}

/** A logo as the address of a picture that stands in the page itself. */
const dataUrlOf = ({ contentType, bytes }: Logo): string => `data:${contentType};base64,${bytes.toString('base64')}`;

/** The logo of whoever runs the server, or its name. */
export const brandMark = ({ name, logo }: Brand): Html =>
  logo === undefined
    ? html`${name}`
    : html`<img src="${dataUrlOf(logo)}" alt="${name}" width="${Math.round(logo.width)}" height="${Math.round(logo.height)}">`;
