const KEY = 'florka.member';

/**
 * Runs in the head before the first paint. Documents are the same for everybody, so a member's page would first show the parts for
 * visitors; this marks the page of a browser in which somebody was signed in, and styles hide those parts until the session is loaded.
 * It only indicates "maybe a member", never who.
 */
export const memberHintScript = `try{if(localStorage.getItem('${KEY}'))document.documentElement.dataset.member='maybe'}catch(e){}`;

/** The session is loaded, or can't be (undefined): nothing has to be hidden any more. */
export function settleMemberHint(signedIn: boolean | undefined): void {
  delete document.documentElement.dataset['member'];
  if (signedIn === undefined) return;
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be denied: the parts for visitors are then shown first.
  }
}
