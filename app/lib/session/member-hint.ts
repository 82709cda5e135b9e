const KEY = 'florka.member';

/**
 * Runs in the head before the first paint. Documents are the same for everybody, so a member's page would first show the parts for
 * visitors; this marks the page of a browser in which somebody was signed in. Styles hide those parts, and reserve the space of the parts for
 * members until they are there. It only indicates "maybe a member", never who.
 */
export const memberHintScript = `try{if(localStorage.getItem('${KEY}'))document.documentElement.dataset.member='maybe'}catch(e){}`;

/**
 * The session is loaded, or can't be (undefined). The mark stays for a member: parts for members that are rendered later, or whose code is
 * still loading, keep their space.
 */
export function settleMemberHint(signedIn: boolean | undefined): void {
  if (signedIn) document.documentElement.dataset['member'] = 'yes';
  else delete document.documentElement.dataset['member'];
  if (signedIn === undefined) return;
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be denied: the parts for visitors are then shown first.
  }
}
