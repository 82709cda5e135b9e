import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_AGE } from '#contract/limits.ts';
import type { Locale } from '../format/format.ts';

/** Storage key that marks the offer of the other language as closed. */
const CLOSED = 'florka.language-offer';

/**
 * Runs in the head before the first paint. Documents are the same for everybody, so each contains the hidden offer to read it in the
 * other language; this sets the language that the browser prefers while its user has chosen none, and styles show the offer when that
 * is not the page's.
 */
export const languageOfferScript = `try{if(document.cookie.indexOf('${LANGUAGE_COOKIE}=')<0&&!localStorage.getItem('${CLOSED}')){var l=navigator.languages.find(function(l){return/^e[ns]\\b/i.test(l)});if(l)document.documentElement.dataset.offer=l.slice(0,2).toLowerCase()}}catch(e){}`;

/** Stores the chosen language: the server redirects to it from now on (server/http/pages/chosen-language.ts). */
export function rememberLanguage(locale: Locale): void {
  const cookie = `${LANGUAGE_COOKIE}=${locale}; Path=/; Max-Age=${LANGUAGE_COOKIE_AGE}; SameSite=Lax`;
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before a page is sent; the Cookie Store API is not in every browser.
  document.cookie = location.protocol === 'https:' ? `__Host-${cookie}; Secure` : cookie;
  hideOffer();
}

/** Closes the offer of the other language permanently. */
export function closeLanguageOffer(): void {
  try {
    localStorage.setItem(CLOSED, '1');
  } catch {
    // Storage can be denied: the offer is then closed until the next page load.
  }
  hideOffer();
}

function hideOffer(): void {
  delete document.documentElement.dataset['offer'];
}
