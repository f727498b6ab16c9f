/** Roles of operators, from the lowest to the highest. Each includes the rights of those before it. */
export const roles = ['viewer', 'support', 'finance', 'admin'] as const;

export type Role = (typeof roles)[number];

/** Whether the role `has` may do an operation that requires the role `needs`. */
export const mayDo = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs);
