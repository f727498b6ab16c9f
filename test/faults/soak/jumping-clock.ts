// Preloaded (`--import`), it has a server run on a machine whose clock jumps, and which is asked for its memory. SIGUSR2 has the clock jump by CLOCK_JUMP_MS,
// and the next one back; the monotonic clock does not. SIGWINCH has it collect its garbage and print what is left.
const jumpMs = Number(process.env['CLOCK_JUMP_MS'] ?? 0);
const RightDate = Date;
let aheadMs = 0;

class JumpingDate extends RightDate {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length === 0) super(RightDate.now() + aheadMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return RightDate.now() + aheadMs;
  }
}
globalThis.Date = JumpingDate as DateConstructor;

process.on('SIGUSR2', () => {
  aheadMs = aheadMs === 0 ? jumpMs : 0;
});
process.on('SIGWINCH', () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`memory ${rss} ${heapUsed}\n`);
});
