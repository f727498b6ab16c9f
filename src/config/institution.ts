import { z } from 'zod';
import type { Brand } from '#lib/brand.ts';
import { type Colour, contrastOf, lightenedFor, mixed } from '#lib/brand.ts';
import { matching } from './formats.ts';
import { readLogo } from './logo.ts';

/** Of normal text, by WCAG 2.2 AA (1.4.3). */
const CONTRAST_MIN = 4.5;
/** The darkest background of a light page, and the lightest one of a dark page. */
const DARKEST_LIGHT: Colour = '#e9eded';
const LIGHTEST_DARK: Colour = '#26323f';
/** Text on a light accent. */
const NEARLY_BLACK: Colour = '#10161d';
const COLOUR_FORMAT = 'must be a colour, # and six hexadecimal digits, e.g. #0a5c4a';

const colour = matching(/^#[\da-f]{6}$/i, COLOUR_FORMAT).transform((text) => text.toLowerCase() as Colour);

/** A text on one line. */
const line = (words: string) => matching(/^(?!\s)[^\p{C}]{2,200}(?<!\s)$/u, words);

/** The picture in a file. */
const logo = () =>
  z.string().transform((path, context) => {
    const read = readLogo(path);
    if ('logo' in read) return read.logo;
    context.addIssue(read.why);
    return z.NEVER;
  });

/** How the institution that runs the server presents itself. */
export const institutionVariables = {
  INSTITUTION_NAME: matching(
    /^(?=.*\p{L})[\p{L}\p{M}\p{N}](?:[ ,&'’(/+-]?[\p{L}\p{M}\p{N}.)]){1,59}$/u,
    'must be a name of 2 to 60 letters, digits and spaces',
  )
    .default('PayTag')
    .describe('name of the institution on pages, statements and in messages'),
  INSTITUTION_LOGO_PATH: logo()
    .optional()
    .describe('file with the logo, shown in place of the name; a PDF shows only a PNG'),
  INSTITUTION_PDF_LOGO_PATH: logo()
    .refine(({ contentType }) => contentType === 'image/png', {
      error: 'must be the path of a PNG: a PDF cannot show another',
    })
    .optional()
    .describe('the logo as a PNG, for PDFs, if INSTITUTION_LOGO_PATH is an SVG'),
  INSTITUTION_ACCENT_COLOUR: colour
    .default('#0a5c4a')
    .refine((accent) => contrastOf(accent, DARKEST_LIGHT) >= CONTRAST_MIN, {
      error: ({ input }) =>
        `must be darker: as text on ${DARKEST_LIGHT} its contrast is ${contrastOf(input as Colour, DARKEST_LIGHT).toFixed(2)}, and ${CONTRAST_MIN} can be read (WCAG 2.2 AA)`,
    })
    .describe('colour of headings, links and buttons; a lighter shade of it is used on dark pages'),
  INSTITUTION_ON_ACCENT_COLOUR: colour.default('#ffffff').describe('colour of the text on buttons'),
  INSTITUTION_ADDRESS: line('must be an address in one line of at most 200 characters')
    .optional()
    .describe('postal address of the institution, on statements, pages and mails'),
  INSTITUTION_LICENCE: line('must be one line of at most 200 characters')
    .optional()
    .describe('who licensed the institution, on statements and pages, e.g. Licensed by the Central Bank of Nigeria'),
  INSTITUTION_SUPPORT_EMAIL: matching(/^[^\s\p{C}<>@",;]{1,64}@[^\s\p{C}<>@",;]{1,190}$/u, 'must be an e-mail address')
    .optional()
    .describe('where customers find help by mail'),
  INSTITUTION_SUPPORT_PHONE: matching(/^\+?\d(?:[ ()-]{0,2}\d){2,19}$/, 'must be a phone number')
    .optional()
    .describe('where customers find help by phone'),
};

type Read = Readonly<z.output<z.ZodObject<typeof institutionVariables>>>;

/** Whether text on the accent colour cannot be read. */
export const isUnreadable = ({
  INSTITUTION_ACCENT_COLOUR: accent,
  INSTITUTION_ON_ACCENT_COLOUR: text,
}: Partial<Read>) => accent !== undefined && text !== undefined && contrastOf(accent, text) < CONTRAST_MIN;

/** How the institution shows itself. */
export function brandOf(read: Read): Brand {
  const accent = read.INSTITUTION_ACCENT_COLOUR;
  const { INSTITUTION_LOGO_PATH: given, INSTITUTION_PDF_LOGO_PATH: forPdfs = given } = read;
  const onDark = lightenedFor(accent, LIGHTEST_DARK, CONTRAST_MIN);
  return {
    name: read.INSTITUTION_NAME,
    logo: given,
    pdfLogo: forPdfs?.contentType === 'image/png' ? forPdfs : undefined,
    colours: {
      accent,
      onAccent: read.INSTITUTION_ON_ACCENT_COLOUR,
      deep: mixed(accent, '#000000', 0.25),
      dark: { accent: onDark, onAccent: NEARLY_BLACK, deep: mixed(onDark, '#ffffff', 0.25) },
    },
    address: read.INSTITUTION_ADDRESS,
    licence: read.INSTITUTION_LICENCE,
    support: { email: read.INSTITUTION_SUPPORT_EMAIL, phone: read.INSTITUTION_SUPPORT_PHONE },
  };
}
