/** What an operator may be, from the one who may do least to the one who may do all. Each may do what those before it may. */
export const roles = ['viewer', 'support', 'finance', 'admin'] as const;

export type Role = (typeof roles)[number];

/** Whether somebody of role `has` may do what asks for the role `needs`. */
export const mayDo = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs);
