/** How a receiver of the sandbox answers: flaky fails the first two attempts of each event. */
export const hookModes = ['200', '500', 'slow', 'flaky'] as const;
export type HookMode = (typeof hookModes)[number];
