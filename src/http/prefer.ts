/** Whether a Prefer header asks to be answered before the work is done (RFC 7240 4.1). */
export const prefersAsync = (prefer: string | string[] | undefined): boolean =>
  [prefer ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference));
