// Preloaded (`--import`), it has a program run on a machine whose clock is wrong: `CLOCK_AHEAD_MS` says by how much, and `CLOCK_AHEAD_LATER_MS` from a SIGUSR2
// on. The monotonic clock is not.
let aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
process.on('SIGUSR2', () => {
  aheadMs = Number(process.env['CLOCK_AHEAD_LATER_MS']);
});
const RightDate = Date;

class WrongDate extends RightDate {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length === 0) super(RightDate.now() + aheadMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return RightDate.now() + aheadMs;
  }
}
globalThis.Date = WrongDate as DateConstructor;
