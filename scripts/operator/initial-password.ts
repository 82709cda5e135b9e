import { INITIAL_PASSWORD_DAYS } from '#server/domains/auth/passwords/password.service.ts';

/** The note that is printed with a generated password. */
export const initialPasswordNote = `It counts for ${INITIAL_PASSWORD_DAYS} days, unless another one is chosen in the account; the back office asks for one at once`;
