type Piece = { text: string; href?: undefined } | { text: string; href: string };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
const CLOSERS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Splits text at its URLs. Only http and https become links; the text itself is never changed. */
export function autolink(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutSentenceEnd(match[0]);
    const href = safeHref(address);
    if (!href) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
    pieces.push({ text: address, href });
    at = match.index + address.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** A full stop or bracket after a URL belongs to the sentence around it. */
function withoutSentenceEnd(address: string): string {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  const count = (character: string) => counts.get(character) ?? 0;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1] ?? '';
    const opener = CLOSERS[last];
    if (opener ? count(last) <= count(opener) : !/[.,;:!?*_~»”’…]/u.test(last)) break;
    counts.set(last, count(last) - 1);
  }
  return address.slice(0, end);
}

function safeHref(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  // 'https://bank.example@evil.example' does not lead to the host it appears to name.
  const plain = !url.username && !url.password;
  return plain && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}
