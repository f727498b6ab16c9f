/** The dependencies that an operation takes as its first argument; a route that calls it asks for the same. */
export type DepsOf<Operation extends (deps: never, ...rest: never[]) => unknown> = Parameters<Operation>[0];
