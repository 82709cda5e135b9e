import { INITIAL_PASSWORD_DAYS } from '#server/domains/auth/passwords/password.service.ts';

/** What is printed beside a password that the program made. */
export const initialPasswordNote = `It counts for ${INITIAL_PASSWORD_DAYS} days, unless another one is chosen in the account; the back office asks for one at once`;
