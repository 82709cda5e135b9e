const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a UUID of any version in its text form with hyphens, in either case: PostgreSQL accepts such a text as uuid. */
export const isUuid = (text: string): boolean => UUID.test(text);
