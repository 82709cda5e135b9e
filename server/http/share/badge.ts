const ENTITY: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const xml = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITY[sign] ?? '');

/** Approximate width of a text in 12 px Verdana; `textLength` adjusts it to the actual font. */
const widthOf = (text: string) =>
  [...text].reduce((sum, sign) => sum + (/[il1.,·|'! ]/.test(sign) ? 4.2 : /[mwMW@#%]/.test(sign) ? 10.4 : 7.4), 0);

/**
 * Badge for other sites (SVG): the token and its rank; opened directly it links to the page.
 *
 * @param left name of the site and symbol of the token. @param right its rank or state. @param page absolute URL.
 */
export function drawBadge(left: string, right: string, page: string): string {
  const [a, b] = [Math.round(widthOf(left)) + 40, Math.round(widthOf(right)) + 22];
  const text = (value: string, x: number, width: number, fill: string) =>
    `<text x="${x}" y="19" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="${fill}">${xml(value)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="28" role="img" aria-label="${xml(`${left}: ${right}`)}">`,
    `<title>${xml(`${left}: ${right}`)}</title>`,
    `<a href="${xml(page)}" target="_top">`,
    `<clipPath id="r"><rect width="${a + b}" height="28" rx="6"/></clipPath>`,
    `<g clip-path="url(#r)"><path fill="#11121c" d="M0 0h${a}v28H0z"/><path fill="#ffb627" d="M${a} 0h${b}v28H${a}z"/></g>`,
    '<path d="M9.5 13.6 8.6 8.2l3.4 2.4 3-4.2 3 4.2 3.4-2.4-.9 5.4z" fill="#ffb627"/>',
    '<path d="M9.2 16v1.3a5.8 5.8 0 0 0 11.6 0V16" fill="none" stroke="#fff6df" stroke-width="1.8" stroke-linecap="round"/>',
    '<g font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="12" font-weight="600">',
    text(left, 30, a - 40, '#fff6df'),
    text(right, a + 11, b - 22, '#1d1503'),
    '</g></a></svg>',
    '',
  ].join('');
}
