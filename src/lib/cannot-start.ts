/** A program cannot start, or a command cannot go on, here. `message` says why and what to do; nobody needs the stack. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
