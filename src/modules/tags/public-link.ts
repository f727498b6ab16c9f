/** The link that resolves a tag for anybody: what its QR code says, wherever it is shown. */
export const publicLink = (handle: string, publicUrl: string): string => `${publicUrl}/api/v1/tags/${handle}`;
