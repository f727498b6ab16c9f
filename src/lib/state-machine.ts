/**
 * A table of transitions: each state with those that may come next; an end has none. Written `as const`. A table that
 * leads to a state it does not have does not compile where it is used.
 */
export type Transitions<T> = { readonly [From in keyof T]: readonly (keyof T)[] };

/** The states of a table. */
export type StateOf<T> = Extract<keyof T, string>;

/** The states of a table, in the order they are written in. */
export const statesOf = <T extends Transitions<T>>(transitions: T): [StateOf<T>, ...StateOf<T>[]] =>
  Object.keys(transitions) as [StateOf<T>, ...StateOf<T>[]];

/** Whether `from` may become `to`. */
export const mayBecome = <T extends Transitions<T>>(transitions: T, from: StateOf<T>, to: StateOf<T>): boolean =>
  transitions[from].some((next) => next === to);

/** The states that may become `to`: the condition of an UPDATE that makes this transition and no other. */
export const statesLeadingTo = <T extends Transitions<T>>(transitions: T, to: StateOf<T>): StateOf<T>[] =>
  statesOf(transitions).filter((from) => mayBecome(transitions, from, to));
