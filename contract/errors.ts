import { z } from 'zod';

/** Every expected failure of the product: code, status, data. The words for people live in app/lib/messages. */
export const errors = {
  UNAUTHORIZED: { status: 401 },
  INVALID_CREDENTIALS: { status: 401 },
  /** Name and password were right; the second factor is still to come. */
  SECOND_FACTOR_NEEDED: { status: 401 },
  WRONG_PASSWORD: { status: 403 },
  WRONG_CODE: { status: 403 },
  /** The link or code is used, expired, or not ours. */
  TOKEN_REFUSED: { status: 400 },
  ALREADY_DONE: { status: 409 },
  LAST_ADMIN: { status: 409 },
  FORBIDDEN: { status: 403 },
  NOT_FOUND: { status: 404, data: z.object({ what: z.string() }) },
  ALREADY_VOTED: { status: 409, data: z.object({ nextVoteAt: z.iso.datetime() }) },
  NO_VOTE: { status: 409 },
  SIGN_UP_REFUSED: { status: 409 },
  USERNAME_TAKEN: { status: 409 },
  LINK_REFUSED: { status: 403 },
  /** The same author posted the same text within the last minutes. */
  DUPLICATE_POST: { status: 409 },
  EDIT_WINDOW_CLOSED: { status: 409 },
  TOO_MANY_SAVED: { status: 409 },
  RATE_LIMITED: { status: 429, data: z.object({ retryAfter: z.int().positive() }) },
  BUSY: { status: 503, data: z.object({ retryAfter: z.int().positive() }) },
} as const;

export type ErrorCode = keyof typeof errors;
