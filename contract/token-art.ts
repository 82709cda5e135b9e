import { hashText, PALETTES, pick } from './token-colours.ts';

/** Maximum number of a symbol's characters on the coin's ribbon. */
const MAX_CHARACTERS = 10;

/** Backgrounds of the coin in a 96-unit box: drawn with dashes, so that no ids are needed. */
const GROUNDS: readonly ((c: string) => string)[] = [
  // Rays of a tent seen from above.
  (c) => `<circle cx="48" cy="48" r="36" fill="none" stroke="${c}" stroke-width="72" stroke-dasharray="9.42 9.42"/>`,
  // Lights.
  (c) =>
    `<path d="M4 6H96M-2 18H96M4 30H96M-2 42H96M4 54H96M-2 66H96M4 78H96M-2 90H96" stroke="${c}" stroke-width="4.5" stroke-linecap="round" stroke-dasharray="0 12"/>`,
  // Awning.
  (c) => `<path d="M8 0V96M24 0V96M40 0V96M56 0V96M72 0V96M88 0V96" stroke="${c}" stroke-width="8"/>`,
  // Harlequin.
  (c) =>
    `<g stroke="${c}" stroke-width="12" stroke-dasharray="12 12" transform="rotate(45 48 48)"><path d="M-24-12H120M-24 12H120M-24 36H120M-24 60H120M-24 84H120M-24 108H120"/><path d="M-12 0H120M-12 24H120M-12 48H120M-12 72H120M-12 96H120"/></g>`,
  // Ring toss.
  (c) =>
    `<g fill="none" stroke="${c}" stroke-width="5"><circle cx="48" cy="48" r="46"/><circle cx="48" cy="48" r="57"/><circle cx="48" cy="48" r="68"/></g>`,
  // Slanted ribbon.
  (c) =>
    `<path d="M-48 48 48-48M-32 64 64-32M-16 80 80-16M0 96 96 0M16 112 112 16M32 128 128 32M48 144 144 48" stroke="${c}" stroke-width="6"/>`,
];

/** Draws one motif of the fair around 48,38, about 40 wide: `a` is the body's colour, `b` the accent's, `c` that of the cut-outs. */
const MOTIFS: readonly ((a: string, b: string, c: string) => string)[] = [
  // Tent.
  (a, b, c) =>
    `<path d="M48 18 70 40H26z" fill="${a}"/><path d="M48 18 54 40H42zM48 18 62 40h8z" fill="${b}"/><path d="M48 18 34 40h-8z" fill="${b}"/><path d="M29 43h38v15H29z" fill="${a}"/><path d="M48 44c-4 4-6 9-6 14h12c0-5-2-10-6-14z" fill="${c}"/><path d="M48 18V9l9 3-9 3.5" fill="${b}" stroke="${a}" stroke-width="1.6" stroke-linejoin="round"/>`,
  // Crown.
  (a, b, c) =>
    `<path d="M29 50 25 25l13 10 10-16 10 16 13-10-4 25z" fill="${b}"/><path d="M29 52h38v6H29z" fill="${a}"/><path d="M48 38l4 5-4 5-4-5z" fill="${c}"/><circle cx="25" cy="24" r="3" fill="${a}"/><circle cx="48" cy="17" r="3" fill="${a}"/><circle cx="71" cy="24" r="3" fill="${a}"/>`,
  // Mask.
  (a, b, c) =>
    `<path d="M20 29c8-5 18-5 28 0 10-5 20-5 28 0 0 16-6 25-15 25-6 0-10-4-13-10-3 6-7 10-13 10-9 0-15-9-15-25z" fill="${a}"/><path d="M28 38c4-5 10-5 14 1-5 5-11 4-14-1zM68 38c-4-5-10-5-14 1 5 5 11 4 14-1z" fill="${c}"/><path d="M48 28c-6-4-7-10-3-16 1 5 4 6 3 16zM48 28c6-4 7-10 3-16-1 5-4 6-3 16z" fill="${b}"/><path d="M39 27c-6-1-9-5-8-11 4 4 7 4 8 11zM57 27c6-1 9-5 8-11-4 4-7 4-8 11z" fill="${b}"/>`,
  // Ticket.
  (a, b, c) =>
    `<g transform="rotate(-16 48 38)"><path d="M24 25h48v8a5 5 0 0 0 0 10v8H24v-8a5 5 0 0 0 0-10z" fill="${a}"/><path d="M60 27v22" stroke="${c}" stroke-width="2" stroke-dasharray="2.5 2.5"/><path d="m43 28 3 7 7 .5-5.5 4.5 2 7-6.5-4-6.5 4 2-7-5.5-4.5 7-.5z" fill="${b}"/></g>`,
  // Wheel.
  (a, b, c) =>
    `<path d="M48 38 36 60h24z" fill="none" stroke="${a}" stroke-width="3" stroke-linejoin="round"/><circle cx="48" cy="36" r="17" fill="none" stroke="${a}" stroke-width="3"/><path d="M48 19v34M31 36h34M36 24l24 24M60 24 36 48" stroke="${a}" stroke-width="1.6"/><circle cx="48" cy="36" r="17" fill="none" stroke="${b}" stroke-width="8" stroke-linecap="round" stroke-dasharray="0 13.35"/><circle cx="48" cy="36" r="4" fill="${c}" stroke="${a}" stroke-width="2"/>`,
  // Balloons.
  (a, b, c) =>
    `<path d="M35 42 48 60M61 42 48 60M48 34v26" stroke="${a}" stroke-width="1.6"/><ellipse cx="35" cy="32" rx="10" ry="12" fill="${a}"/><ellipse cx="61" cy="32" rx="10" ry="12" fill="${a}"/><ellipse cx="48" cy="25" rx="11.5" ry="13.5" fill="${b}" stroke="${c}" stroke-width="2"/><path d="M43 21c1-3 3-4 5-4" stroke="${c}" stroke-width="2.5" stroke-linecap="round" fill="none"/>`,
  // Shooting gallery.
  (a, b, c) =>
    `<circle cx="47" cy="39" r="21" fill="${a}"/><circle cx="47" cy="39" r="15" fill="${c}"/><circle cx="47" cy="39" r="10" fill="${b}"/><circle cx="47" cy="39" r="4" fill="${c}"/><path d="M47 39 66 20" stroke="${a}" stroke-width="3" stroke-linecap="round"/><path d="m62 24 2-9 6-3-1 6 6-1-4 6z" fill="${b}" stroke="${a}" stroke-width="1.5" stroke-linejoin="round"/>`,
  // Fireworks.
  (a, b) =>
    `<g fill="none" stroke-linecap="round"><circle cx="48" cy="37" r="14" stroke="${a}" stroke-width="11" stroke-dasharray="2.6 8.4" stroke-linecap="butt"/><circle cx="48" cy="37" r="24" stroke="${b}" stroke-width="4.5" stroke-dasharray="0 18.85"/></g><circle cx="48" cy="37" r="5" fill="${b}"/>`,
  // Moon and stars.
  (a, b) =>
    `<path d="M54 17a22 22 0 1 0 13 32 18 18 0 0 1-13-32z" fill="${a}"/><path d="m63 22 2.5 6 6.5.5-5 4.2 1.6 6.3-5.6-3.4-5.6 3.4 1.6-6.3-5-4.2 6.5-.5z" fill="${b}"/><circle cx="55" cy="46" r="2" fill="${b}"/>`,
  // Pinwheel.
  (a, b, c) =>
    `<path d="M48 40v22" stroke="${a}" stroke-width="3" stroke-linecap="round"/><path d="M48 37c-14 0-17-10-14-19 9 2 14 9 14 19zM48 37c14 0 17 10 14 19-9-2-14-9-14-19z" fill="${a}"/><path d="M48 37c0-14 10-17 19-14-2 9-9 14-19 14zM48 37c0 14-10 17-19 14 2-9 9-14 19-14z" fill="${b}"/><circle cx="48" cy="37" r="4" fill="${c}" stroke="${a}" stroke-width="2"/>`,
  // Lollipop.
  (a, b, c) =>
    `<path d="M48 40v22" stroke="${a}" stroke-width="3.5" stroke-linecap="round"/><circle cx="48" cy="34" r="18" fill="${b}"/><path d="M48 34c0-4 6-4 6 1 0 7-13 7-13-2 0-12 20-12 20 2 0 9-7 13-13 13" fill="none" stroke="${c}" stroke-width="3.5" stroke-linecap="round"/>`,
  // Magician's hat.
  (a, b, c) =>
    `<path d="M33 26h30l-3 29H36z" fill="${a}"/><path d="M35.3 45h25.4l-.8 7H36z" fill="${b}"/><rect x="25" y="53" width="46" height="6" rx="3" fill="${a}"/><ellipse cx="48" cy="26" rx="15" ry="4" fill="${c}"/><path d="m40 20 1.5-5 1.5 5 5 1.5-5 1.5-1.5 5-1.5-5-5-1.5zM56 14l1-4 1 4 4 1-4 1-1 4-1-4-4-1z" fill="${b}"/>`,
];

/** The image of a token without an uploaded one, in a box of 96 x 96. */
export interface TokenArt {
  /** SVG markup without any user input. */
  drawing: string;
  /** The symbol on the ribbon, centred at this point; null for a small image, where it would be illegible. */
  characters: { text: string; x: number; y: number; size: number; fill: string; spacing: number } | null;
}

/**
 * The default coin of a token, the same on every screen and on share cards: colours, background and motif are derived from the
 * id, the letters from the symbol.
 *
 * @param small for less than about 48 px: the motif fills the coin.
 */
export function tokenArt(id: string, symbol: string, small = false): TokenArt {
  const hash = hashText(id);
  const [field, ink, pop, pale] = pick(PALETTES, hash);
  const night = ((hash >>> 22) & 3) === 0;
  const beaded = ((hash >>> 25) & 1) === 1;
  const disc = night ? ink : pale;
  const body = night ? pale : ink;
  const ring = (radius: number, colour: string, width: number, dashes: string) =>
    `<circle cx="48" cy="48" r="${radius}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-dasharray="0 ${dashes}"/>`;
  const motif = pick(MOTIFS, hash >>> 14)(body, pop, disc);
  const drawing = [
    `<path d="M0 0h96v96H0z" fill="${field}"/>`,
    `<g opacity="0.2">${pick(GROUNDS, hash >>> 8)(night ? pale : ink)}</g>`,
    `<circle cx="48" cy="48" r="40" fill="${body}"/>`,
    beaded ? ring(39.5, body, 7.5, '8.273') : '',
    `<circle cx="48" cy="48" r="36.8" fill="${disc}"/>`,
    ring(38.4, night ? ink : pop, 2.2, '6.032'),
    `<g transform="${small ? 'translate(-14.4 -1.4) scale(1.3)' : 'translate(0 -1)'}">${motif}</g>`,
    small ? '' : `<path d="M8 62h80l-5 9 5 9H8l5-9z" fill="${body}"/>`,
  ].join('');
  if (small) return { drawing, characters: null };
  const text = Array.from(symbol.replace(/^\$/, '').toUpperCase()).slice(0, MAX_CHARACTERS);
  const size = text.length > 5 ? 12.6 : text.length > 4 ? 14.5 : 16;
  return {
    drawing,
    characters: {
      text: text.join(''),
      x: 48,
      y: 71.4,
      size: Math.min(size, 62 / widthOf(text)),
      fill: night ? ink : pale,
      spacing: 0.8,
    },
  };
}

/** Approximate width of the letters in em: a row of W must not exceed the ribbon. */
const widthOf = (characters: readonly string[]): number =>
  characters.reduce((width, letter) => width + (/[MW]/.test(letter) ? 1 : 0.7), 0);
