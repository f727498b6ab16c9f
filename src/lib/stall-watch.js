import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

// Both sides of it stand in this file, which is JavaScript: the thread that looks loads nothing of ours beside it, and no compiler.

/** What runs for somebody, each with how it is described. It is asked for once the event loop has stood for too long. */
/** @type {Map<object, () => object>} */
export const underWay = new Map();

const [BEATS, NEVER] = [0, 1];
const BEAT_MS = 500;
const LOOK_MS = 1_000;
/**
 * What the event loop has to say what it does, and to end. Only what does not come back from native code does not: it goes on
 * taking the processor, or waits. On a busy machine the debugger's turn comes late, so that it has as long as there is before
 * those who told the process to end lose patience, as compose does after 40 s; and never less than the least.
 */
const LAST_WORDS = { processorMs: 3_000, untilMs: 38_000, leastMs: 8_000 };
const NAMED_MAX = 20;
const FRAMES_MAX = 10;
const ASKED = 'paytag.underWay';
const DESCRIBE = `JSON.stringify(globalThis[Symbol.for('${ASKED}')]())`;

/**
 * Has a thread of its own end this process once its event loop has stood for so long: no request would be answered and no signal
 * heard. It says in one line of the log what ran, and the process ends with 1, or by SIGKILL where native code keeps the event
 * loop. The time is counted in looks of that thread, so that a process which was stopped as a whole, as by SIGSTOP or by a machine
 * that slept, goes on.
 *
 * @param {{ maxS: number, isSilent: boolean, file: URL }} given `file` is this file: in a bundle it is another one's part
 */
export function endWhenStalled({ maxS, isSilent, file }) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const described = () => [...underWay.values()].slice(0, NAMED_MAX).map((describe) => describe());
  Object.defineProperty(globalThis, Symbol.for(ASKED), { value: described });
  setInterval(() => Atomics.add(shared, BEATS, 1), BEAT_MS).unref();
  new Worker(file, {
    name: 'stall-watch',
    workerData: { stallWatch: { shared, maxS, isSilent } },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  }).unref();
}

/** @param {{ shared: Int32Array<SharedArrayBuffer>, maxS: number, isSilent: boolean }} given */
async function watch({ shared, maxS, isSilent }) {
  let seen = -1;
  for (let stoodMs = 0; stoodMs < maxS * 1_000; ) {
    Atomics.wait(shared, NEVER, 0, LOOK_MS);
    const beats = Atomics.load(shared, BEATS);
    stoodMs = beats === seen ? stoodMs + LOOK_MS : 0;
    seen = beats;
  }
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  /** @param {object} found */
  const say = (found) => {
    const msg = `the event loop has stood for ${maxS} s: the process ends`;
    const line = { level: 60, time: new Date().toISOString(), ...found, msg };
    if (!isSilent) writeSync(1, `${JSON.stringify(line)}\n`);
  };
  session.on('Debugger.paused', ({ params }) => {
    const stack = params.callFrames
      .slice(0, FRAMES_MAX)
      .map(({ functionName, url, location }) => `${functionName} (${url}:${location.lineNumber + 1})`);
    session.post('Runtime.evaluate', { expression: DESCRIBE }, (_error, answer) => {
      say({ underWay: JSON.parse(answer?.result.value ?? '[]'), stack });
      session.post('Runtime.evaluate', { expression: 'process.reallyExit(1)' });
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  const before = process.cpuUsage();
  const until = performance.now() + Math.max(LAST_WORDS.leastMs, LAST_WORDS.untilMs - maxS * 1_000);
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 < LAST_WORDS.processorMs && performance.now() < until) return;
    say({});
    process.kill(process.pid, 'SIGKILL');
  }, BEAT_MS);
}

if (!isMainThread && workerData?.stallWatch !== undefined) await watch(workerData.stallWatch);
