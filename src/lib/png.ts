import { crc32, deflateSync } from 'node:zlib';

/** A square of dark and light dots. */
export interface Dots {
  size: number;
  isDark: (x: number, y: number) => boolean;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const GREYSCALE = 0;

/**
 * A PNG of one bit a pixel (W3C PNG, 11.2.1), each dot `scale` pixels wide and high. A picture in colours takes thirty times
 * longer to draw and compress.
 */
export function bilevelPng({ size, isDark }: Dots, scale: number): Buffer {
  const width = size * scale;
  const bytesPerLine = 1 + Math.ceil(width / 8); // the first says that the line is not filtered
  const lines = Buffer.alloc(bytesPerLine * width);
  for (let y = 0; y < size; y++) {
    const line = Buffer.alloc(bytesPerLine, 0xff);
    line[0] = 0;
    for (let x = 0; x < width; x++) {
      const at = 1 + (x >> 3);
      if (isDark(Math.floor(x / scale), y)) line[at] = (line[at] ?? 0) & ~(0x80 >> (x & 7));
    }
    for (let copy = 0; copy < scale; copy++) line.copy(lines, (y * scale + copy) * bytesPerLine);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header[8] = 1; // bit a pixel
  header[9] = GREYSCALE;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Length, type, data and the checksum of both. */
function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
