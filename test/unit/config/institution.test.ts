import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import { afterAll, describe, expect, test } from 'vitest';
import { contrastOf } from '#lib/brand.ts';
import { brandWith, zumaEnv } from '../../support/brand/brand.ts';
import { refused, validValues } from '../../support/variables.ts';

const generated = {
  OPERATOR_TOKEN: validValues['OPERATOR_TOKEN'] ?? '',
  MASTER_KEY: validValues['MASTER_KEY'] ?? '',
};
const lineFor = (env: Record<string, string>) => refused(env, generated);

const folder = mkdtempSync(join(tmpdir(), 'paytag-test-logo-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const fileOf = (content: string | Buffer): string => {
  const path = join(folder, `logo-${++files}`);
  writeFileSync(path, content);
  return path;
};
const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height, fill: true }));
const svg = (inside: string, root = 'viewBox="0 0 80 20"') =>
  `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${root}>${inside}</svg>\n`;

describe('the institution', () => {
  test('that is not configured is PayTag, in its own colours, without logo, address or licence', () => {
    expect(brandWith({})).toMatchObject({
      name: 'PayTag',
      logo: undefined,
      pdfLogo: undefined,
      colours: { accent: '#0a5c4a', onAccent: '#ffffff' },
      address: undefined,
      licence: undefined,
      support: { email: undefined, phone: undefined },
    });
  });

  test('is named, reached and licensed as configured', () => {
    expect(brandWith(zumaEnv)).toMatchObject({
      name: 'Zuma Microfinance Bank',
      logo: { contentType: 'image/svg+xml', width: 240, height: 64 },
      colours: { accent: '#7a1f5c', onAccent: '#fff8e6' },
      address: '1 Marina, Lagos',
      licence: 'Licensed by the Central Bank of Nigeria',
      support: { email: 'help@zuma.example', phone: '+234 700 000 9862' },
    });
  });

  test.each([
    ['INSTITUTION_NAME', 'Z'],
    ['INSTITUTION_NAME', '<b>Zuma</b>'],
    ['INSTITUTION_NAME', 'Zuma\nBank'],
    ['INSTITUTION_NAME', 'Z'.repeat(61)],
    ['INSTITUTION_ACCENT_COLOUR', 'green'],
    ['INSTITUTION_ACCENT_COLOUR', '#0a5'],
    ['INSTITUTION_ADDRESS', 'Lagos\nNigeria'],
    ['INSTITUTION_LICENCE', 'x'.repeat(201)],
    ['INSTITUTION_SUPPORT_EMAIL', 'help at zuma'],
    ['INSTITUTION_SUPPORT_PHONE', 'call us'],
  ])('is refused with %s=%j, in one line that names it', (name, value) => {
    expect(lineFor({ [name]: value })).toMatch(new RegExp(`^${name} is not valid: must be .*$`));
  });
});

describe('colours', () => {
  test('an accent that cannot be read on a light page is refused with its contrast', () => {
    expect(lineFor({ INSTITUTION_ACCENT_COLOUR: '#ff7900' })).toMatch(
      /^INSTITUTION_ACCENT_COLOUR is not valid: must be darker: .* its contrast is 2\.\d\d, and 4\.5 can be read/,
    );
  });

  test('a text that cannot be read on the accent is refused', () => {
    expect(lineFor({ INSTITUTION_ACCENT_COLOUR: '#003366', INSTITUTION_ON_ACCENT_COLOUR: '#336699' })).toMatch(
      /^INSTITUTION_ON_ACCENT_COLOUR is not valid: must be readable on INSTITUTION_ACCENT_COLOUR/,
    );
  });

  test('whatever accent is taken, all that is made of it is readable on light and on dark pages', () => {
    const channel = fc.integer({ min: 0, max: 110 }).map((value) => value.toString(16).padStart(2, '0'));
    const accents = fc.tuple(channel, channel, channel).map((parts) => `#${parts.join('')}` as const);
    fc.assert(
      fc.property(accents, (accent) => {
        fc.pre(contrastOf(accent, '#e9eded') >= 4.5);
        const { colours } = brandWith({ INSTITUTION_ACCENT_COLOUR: accent });
        const pairs = [
          [colours.accent, '#e9eded'],
          [colours.accent, colours.onAccent],
          [colours.deep, colours.onAccent],
          [colours.dark.accent, '#26323f'],
          [colours.dark.accent, colours.dark.onAccent],
          [colours.dark.deep, colours.dark.onAccent],
        ] as const;
        for (const [text, background] of pairs) expect(contrastOf(text, background)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 60 },
    );
  });

  test('contrast is that of WCAG: 21 for black on white, 4.54 for #767676 on white', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });
});

describe('the logo', () => {
  test('is a PNG or an SVG, with its proportions', () => {
    expect(brandWith({ INSTITUTION_LOGO_PATH: fileOf(png(120, 40)) }).logo).toMatchObject({
      contentType: 'image/png',
      width: 120,
      height: 40,
    });
    expect(brandWith({ INSTITUTION_LOGO_PATH: fileOf(svg('<path d="M0 0h9"/>')) }).logo).toMatchObject({
      contentType: 'image/svg+xml',
      width: 80,
      height: 20,
    });
  });

  test('in a PDF is a PNG: the same one, or one given for PDFs', () => {
    const [mark, drawn] = [fileOf(png(120, 40)), fileOf(svg('<path d="M0 0h9"/>'))];
    expect(brandWith({ INSTITUTION_LOGO_PATH: mark }).pdfLogo).toMatchObject({ width: 120 });
    expect(brandWith({ INSTITUTION_LOGO_PATH: drawn }).pdfLogo).toBeUndefined();
    const both = brandWith({ INSTITUTION_LOGO_PATH: drawn, INSTITUTION_PDF_LOGO_PATH: mark });
    expect([both.logo?.contentType, both.pdfLogo?.contentType]).toEqual(['image/svg+xml', 'image/png']);
    expect(lineFor({ INSTITUTION_PDF_LOGO_PATH: drawn })).toMatch(
      /^INSTITUTION_PDF_LOGO_PATH is not valid: must be the path of a PNG/,
    );
  });

  test.each([
    ['that is not there', '/nowhere/logo.png'],
    ['that is a folder', folder],
    ['that is empty', fileOf('')],
    ['that is too large', fileOf(svg(`<!--${'x'.repeat(70_000)}-->`))],
    ['that is no picture', fileOf('GIF89a')],
    ['that is cut short', fileOf(png(120, 40).subarray(0, 60))],
    ['that is larger than it says', fileOf(Buffer.from(png(120, 40)).fill(20, 20, 24))],
    ['with too many pixels', fileOf(png(1_001, 10))],
    ['without a viewBox', fileOf(svg('', 'width="80" height="20"'))],
    ['with a script', fileOf(svg('<script>alert(1)</script>'))],
    ['with a handler', fileOf(svg('<g onload="alert(1)"/>'))],
    ['that links elsewhere', fileOf(svg('<a href="https://evil.example"/>'))],
    ['that loads a picture', fileOf(svg('<image xlink:href="//evil.example/x.png"/>'))],
    ['with a style from elsewhere', fileOf(svg('<style>@import "//evil.example"</style>'))],
    ['with entities', fileOf('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"></svg>')],
  ])('%s is refused when the server starts', (_, path) => {
    expect(lineFor({ INSTITUTION_LOGO_PATH: path })).toMatch(/^INSTITUTION_LOGO_PATH is not valid: must be (an?|the) /);
  });
});
