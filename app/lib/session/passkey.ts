import type { CreatedPasskey, SignedByPasskey } from '#contract/domains/passkeys.ts';

/** The library is fetched when somebody uses a passkey, and is no part of any page. */
const library = () => import('@simplewebauthn/browser');

/** Whether this browser knows passkeys; false on the server, where no button of them is drawn. */
export const knowsPasskeys = (): boolean => typeof window !== 'undefined' && 'PublicKeyCredential' in window;

/** True when the person closed the browser's own dialog, or let it run out: nothing has to be said about it. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Makes a passkey on this device. @param options what the server asks for. */
export async function createPasskey(options: Record<string, unknown>): Promise<CreatedPasskey> {
  const { startRegistration } = await library();
  return tidy(await startRegistration({ optionsJSON: options as never })) as CreatedPasskey;
}

/** Has this device sign with a passkey. @param options what the server asks for. */
export async function signByPasskey(options: Record<string, unknown>): Promise<SignedByPasskey> {
  const { startAuthentication } = await library();
  return tidy(await startAuthentication({ optionsJSON: options as never })) as SignedByPasskey;
}

/** Plain JSON without what is undefined. */
const tidy = (answer: object): unknown => JSON.parse(JSON.stringify(answer));
