import type { CreatedPasskey, SignedByPasskey } from '#contract/domains/passkeys.ts';

/** The library is loaded when somebody uses a passkey; no page includes it. */
const library = () => import('@simplewebauthn/browser');

/** True when this browser supports passkeys; false on the server, which renders no passkey button. */
export const knowsPasskeys = (): boolean => typeof window !== 'undefined' && 'PublicKeyCredential' in window;

/** True when the user closed the browser's own dialog, or it timed out: no message is needed. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Creates a passkey on this device. @param options the server's creation options. */
export async function createPasskey(options: Record<string, unknown>): Promise<CreatedPasskey> {
  const { startRegistration } = await library();
  return toPlainJson(await startRegistration({ optionsJSON: options as never })) as CreatedPasskey;
}

/** Signs with a passkey of this device. @param options the server's request options. */
export async function signByPasskey(options: Record<string, unknown>): Promise<SignedByPasskey> {
  const { startAuthentication } = await library();
  return toPlainJson(await startAuthentication({ optionsJSON: options as never })) as SignedByPasskey;
}

/** Plain JSON without undefined properties. */
const toPlainJson = (answer: object): unknown => JSON.parse(JSON.stringify(answer));
