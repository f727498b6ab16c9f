/** A rail's reference as it is compared: letters and digits alone, whatever banks make of their case and of what is between them. */
export const normalizedReference = (reference: string): string => reference.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
