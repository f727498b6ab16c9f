let people = 0;

/** The body of POST /partner/paytag for somebody new: a BVN, a phone and a tag that nobody else of this file has. */
export function paytagBody<Given extends object>(given: Given = {} as Given) {
  const number = String(++people).padStart(5, '0');
  return {
    firstName: 'Ada',
    lastName: 'Obi',
    phone: `080312${number}`,
    email: `ada.${number}@example.com`,
    bvn: `300000${number}`,
    dateOfBirth: '1994-05-17',
    tag: `ada${number}`,
    ...given,
  };
}
