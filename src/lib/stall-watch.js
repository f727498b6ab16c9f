import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

// Both sides are in this file, which is JavaScript: the watching thread loads nothing else of ours, and no compiler.

/** The requests and tasks under way, each with a function that describes it for the log once the event loop is blocked. */
/** @type {Map<object, () => object>} */
export const underWay = new Map();

const [BEATS, NEVER] = [0, 1];
const BEAT_MS = 500;
const LOOK_MS = 1_000;
/**
 * How long the event loop has to report what blocks it and to end. It cannot while native code runs or waits. On a busy machine the
 * debugger gets its turn late, so it has almost as long as compose waits for a stopping container (40 s), and never less than `leastMs`.
 */
const LAST_WORDS = { processorMs: 3_000, untilMs: 38_000, leastMs: 8_000 };
const NAMED_MAX = 20;
const FRAMES_MAX = 10;
const ASKED = 'paytag.underWay';
const DESCRIBE = `JSON.stringify(globalThis[Symbol.for('${ASKED}')]())`;

/**
 * Starts a thread that ends this process once its event loop is blocked for `maxS`: it would answer no request and handle no signal.
 * One line of the log says what ran. The process exits with 1, or by SIGKILL where native code blocks the event loop. The time is
 * counted in checks of that thread, so that a process that was stopped as a whole (SIGSTOP, a sleeping machine) continues.
 *
 * @param {{ maxS: number, isSilent: boolean, level: number | string, file: URL }} given `level` of the line in the log; `file` is this
 *   file, which a bundle would make a part of another one
 */
export function endWhenStalled({ maxS, isSilent, level, file }) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const described = () => [...underWay.values()].slice(0, NAMED_MAX).map((describe) => describe());
  Object.defineProperty(globalThis, Symbol.for(ASKED), { value: described });
  setInterval(() => Atomics.add(shared, BEATS, 1), BEAT_MS).unref();
  new Worker(file, {
    name: 'stall-watch',
    workerData: { stallWatch: { shared, maxS, isSilent, level } },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  }).unref();
}

/** @param {{ shared: Int32Array<SharedArrayBuffer>, maxS: number, isSilent: boolean, level: number | string }} given */
async function watch({ shared, maxS, isSilent, level }) {
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
    const msg = `the event loop was blocked for ${maxS} s: the process ends`;
    const line = { level, event: 'server.stalled', time: new Date().toISOString(), ...found, msg };
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
