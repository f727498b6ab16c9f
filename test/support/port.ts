import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { isFree } from '../../src/embedded/port.ts';

/** Below what systems give out themselves (Linux: from 32768 on), so that nobody is given one that waits for its owner. */
const FIRST = 20_000;
/** Each worker of the run has so many to itself. */
const COUNT = 1_000;
const WORKERS = 12;
const first = FIRST + COUNT * (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS);
let next = randomInt(COUNT);

/**
 * A port of 127.0.0.1 for a process to listen on: nobody listens on it, and until the process does nobody else comes to
 * it by chance. This worker is given another each time.
 */
export async function ownPort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried += 1) {
    const port = first + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`all ports from ${first} to ${first + COUNT - 1} are taken`);
}

/** Whether somebody listens on a port of 127.0.0.1. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
