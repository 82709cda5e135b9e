/** Query parameter of the sign-in page after its plain form was refused: one of the failures below. */
export const SIGN_IN_FAILED_PARAMETER = 'failed';

/** What the page says after a refusal: codes of the API; SECOND_STEP_OVER when there is no first step any more. */
export const SIGN_IN_FAILURES = [
  'INVALID_CREDENTIALS',
  'SECOND_FACTOR_NEEDED',
  'WRONG_CODE',
  'SECOND_STEP_OVER',
  'PASSKEY_REQUIRED',
  'RATE_LIMITED',
  'BUSY',
  'BAD_REQUEST',
  'UNEXPECTED',
] as const;

export type SignInFailure = (typeof SIGN_IN_FAILURES)[number];
