/** What an operation is given as its first argument. A route that calls it asks for the same, and for no more. */
export type DepsOf<Operation extends (deps: never, ...rest: never[]) => unknown> = Parameters<Operation>[0];
