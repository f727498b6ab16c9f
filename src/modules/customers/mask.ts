/** `+234*******67`: enough to know one's own number by. */
export const maskPhone = (phone: string): string =>
  `${phone.slice(0, 4)}${'*'.repeat(phone.length - 6)}${phone.slice(-2)}`;

/** `a***@example.com`. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
};

/** `*******1234`. */
export const maskBvn = (bvn: string): string => `${'*'.repeat(bvn.length - 4)}${bvn.slice(-4)}`;
