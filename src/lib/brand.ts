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

/** How the institution presents itself on pages, on statements and in messages. */
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

/** The logo of the institution, or its name. */
export const brandMark = ({ name, logo }: Brand): Html =>
  logo === undefined
    ? html`${name}`
    : html`<img src="${dataUrlOf(logo)}" alt="${name}" width="${Math.round(logo.width)}" height="${Math.round(logo.height)}">`;

/** A colour of sRGB as CSS writes it: `#rrggbb`. */
export type Colour = `#${string}`;

const channelsOf = (colour: Colour): [number, number, number] => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** Relative luminance, by WCAG 2.2. */
function luminanceOf(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, by WCAG 2.2: from 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour with a share of another in it, from 0 to 1. */
export function mixed(colour: Colour, other: Colour, share: number): Colour {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((channel, at) => {
    const mixedChannel = Math.round(channel + ((others[at] ?? 0) - channel) * share);
    return mixedChannel.toString(16).padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

const STEPS = 20;

/** A colour, with as little white in it as gives it this contrast with a dark background. */
export function lightenedFor(colour: Colour, background: Colour, contrast: number): Colour {
  for (let step = 0; step < STEPS; step++) {
    const lighter = mixed(colour, '#ffffff', step / STEPS);
    if (contrastOf(lighter, background) >= contrast) return lighter;
  }
  return '#ffffff';
}
