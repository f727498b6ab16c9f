const soaks = process.env['SOAK'] === '1';

/**
 * How often a test repeats what may go wrong at another moment each time: few times as a rule, which are still
 * enough to fail when the promise is broken outright, and many in `npm run test:long`, to find what is rare.
 */
export const repetitions = ({ short, soak }: { short: number; soak: number }): number => (soaks ? soak : short);
