import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** As a manifest says it. */
export interface FileDigest {
  bytes: number;
  sha256: string;
}

/** Text that is written at once. */
const PIECE_CHARACTERS = 1 << 16;

/** A file that is written line by line. */
interface LineFile {
  write(line: string): Promise<void>;
  /** When this returns its lines are on the disk. */
  end(): Promise<FileDigest>;
}

/** Makes a new file, gzip'd where its name says so. */
export function openLines(path: string): LineFile {
  const out = createWriteStream(path, { flags: 'wx', flush: true });
  const text = path.endsWith('.gz') ? createGzip() : new PassThrough();
  const written = pipeline(text, out);
  written.catch(() => undefined); // told where it is waited for
  let piece = '';
  const flush = async (): Promise<void> => {
    const isFull = !text.write(piece);
    piece = '';
    if (isFull) await Promise.race([once(text, 'drain'), written]);
  };
  return {
    async write(line) {
      piece += `${line}\n`;
      if (piece.length >= PIECE_CHARACTERS) await flush();
    },
    async end() {
      if (piece !== '') await flush();
      text.end();
      await written;
      return digestFile(path);
    },
  };
}

/** What a file is by its bytes. */
export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The lines of a file, one after the other. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  if (text !== file) file.on('error', (error) => text.destroy(error));
  let rest = '';
  for await (const piece of text.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Has the names in a directory on the disk, as `writeLines` has what is in its files. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
