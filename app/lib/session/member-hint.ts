const KEY = 'florka.member';

/**
 * Runs in the head before the first paint. Documents are the same for everybody, so a member's page would first show what
 * is meant for visitors; this marks the page of a browser where somebody was signed in, and styles keep those parts
 * hidden until the answer is known. It only says "maybe a member", never who.
 */
export const memberHintScript = `try{if(localStorage.getItem('${KEY}'))document.documentElement.dataset.member='maybe'}catch(e){}`;

/** The answer is known, or will not come (undefined): nothing has to be hidden any more. */
export function settleMemberHint(signedIn: boolean | undefined): void {
  delete document.documentElement.dataset['member'];
  if (signedIn === undefined) return;
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be denied: the first moment then shows what visitors see.
  }
}
