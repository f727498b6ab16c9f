import jsqr from 'jsqr';
import { PNG } from 'pngjs';

/** What a camera would read from a PNG in base64. */
export function readQr(base64: string): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(base64, 'base64'));
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
}
