import { readFileSync, statSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { Logo } from '#lib/brand.ts';

/** The logo is in every page and document. */
const LOGO_BYTES_MAX = 64 * 1024;
const WIDTH_MAX = 1_000;
const HEIGHT_MAX = 500;
const SIDE_MIN = 8;

const LOGO_FORMAT = 'must be the path of a PNG or SVG file of at most 64 KiB that can be read';
const PNG_FORMAT = `must be a PNG that is whole, not interlaced, with 8 bits a channel, at most ${WIDTH_MAX} pixels wide and ${HEIGHT_MAX} high`;
const SVG_FORMAT = 'must be an SVG with a viewBox, and without scripts, styles from elsewhere, links or entities';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A logo, or why the file is not one. */
export type ReadLogo = { logo: Logo } | { why: string };

/** Reads a logo and checks that pages and PDFs can show it: a broken one is found at the start, not in a document. */
export function readLogo(path: string): ReadLogo {
  const bytes = bytesOf(path);
  if (bytes === undefined) return { why: LOGO_FORMAT };
  return bytes.subarray(0, 8).equals(PNG_SIGNATURE) ? readPng(bytes) : readSvg(bytes);
}

function bytesOf(path: string): Buffer | undefined {
  try {
    const { size } = statSync(path);
    return size > 0 && size <= LOGO_BYTES_MAX ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Channels of a pixel, by the colour type of PNG (ISO/IEC 15948, 11.2.2). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(bytes: Buffer): ReadLogo {
  const refused = { why: PNG_FORMAT };
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return refused;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, colourType = -1, , , interlace] = bytes.subarray(24, 29);
  const channels = CHANNELS[colourType];
  if (depth !== 8 || channels === undefined || interlace !== 0) return refused;
  if (width < SIDE_MIN || height < SIDE_MIN || width > WIDTH_MAX || height > HEIGHT_MAX) return refused;
  const size = height * (1 + width * channels);
  if (inflatedSize(pngData(bytes), size) !== size) return refused;
  return { logo: { contentType: 'image/png', bytes, width, height } };
}

/** The picture's data: that of all IDAT chunks. */
function pngData(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, end));
    at = end + 4;
  }
  return Buffer.concat(parts);
}

function inflatedSize(data: Buffer, maxOutputLength: number): number | undefined {
  try {
    return inflateSync(data, { maxOutputLength }).length;
  } catch {
    return undefined;
  }
}

/** Content that could run or load something. A browser does neither in an image, but the file may be opened elsewhere. */
const SVG_REFUSED =
  /<script|<foreignObject|<!DOCTYPE|<!ENTITY|<\?xml-stylesheet|@import|\son\w+\s*=|javascript:|href\s*=\s*["'](?!#)|url\(\s*["']?(?!#)/i;

function readSvg(bytes: Buffer): ReadLogo {
  const text = bytes.toString('utf8');
  const [, root = ''] =
    /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg\b([^>]*)>/.exec(text) ?? [];
  const box = /\sviewBox\s*=\s*["']\s*([\d.eE+-]+[\s,]+){2}([\d.]+)[\s,]+([\d.]+)\s*["']/.exec(root);
  const [width, height] = [Number(box?.[2]), Number(box?.[3])];
  const isWhole = root.includes('http://www.w3.org/2000/svg') && /<\/svg>\s*$/.test(text);
  if (!isWhole || !(width > 0) || !(height > 0) || SVG_REFUSED.test(text)) return { why: SVG_FORMAT };
  return { logo: { contentType: 'image/svg+xml', bytes, width, height } };
}
