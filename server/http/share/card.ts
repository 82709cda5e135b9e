import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import satori, { type Font } from 'satori';
import { loadSharp } from '#server/lib/sharp.ts';

/** What a card says. Texts are whole; they are cut here. */
export interface Card {
  /** Small, above the title. */
  kicker: string;
  title: string;
  /** Below the title; a sentence at most. */
  text: string;
  /** Big figures with their names. */
  figures: { value: string; name: string }[];
  /** Bytes of a picture; null for a drawn coin, or none at all without `symbol`. */
  picture: Uint8Array | null;
  symbol: string | null;
  /** Chooses the colours of the coin. */
  seed: string;
}

/** As networks ask for it. */
const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;

const require = createRequire(path.join(process.cwd(), 'package.json'));
const fontFile = (family: string, file: string) =>
  readFileSync(path.join(path.dirname(require.resolve(`@fontsource/${family}/package.json`)), 'files', file));

/** Read at the first card: most processes draw none for a long time. */
let loaded: Font[] | undefined;
function fonts(): Font[] {
  loaded ??= [
    ...(['latin', 'latin-ext'] as const).map((part) => ({
      // A name of its own for each part, or only the first would be looked at.
      name: `Bricolage ${part}`,
      weight: 800 as const,
      style: 'normal' as const,
      data: fontFile('bricolage-grotesque', `bricolage-grotesque-${part}-800-normal.woff`),
    })),
    // Also what names need that the display face lacks.
    ...PARTS.map((part) => ({
      name: `Inter ${part}`,
      weight: 600 as const,
      style: 'normal' as const,
      data: fontFile('inter', `inter-${part}-600-normal.woff`),
    })),
  ];
  return loaded;
}

const PARTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const;
const BODY = PARTS.map((part) => `Inter ${part}`).join(', ');
const DISPLAY = `Bricolage latin, Bricolage latin-ext, ${BODY}`;

interface Box {
  type: 'div' | 'img';
  props: Record<string, unknown>;
}
type Style = Record<string, string | number>;
const box = (style: Style, ...children: (Box | string)[]): Box => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children: children.length === 1 ? children[0] : children },
});

/** Pictographs and the like: no font of ours has them, and an empty frame says less than nothing. */
const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{Zs}$€£+<=>|~^°·…]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The first signs of a text, whole words where there are any. */
export function cut(text: string, most: number): string {
  const clean = printable(text);
  if ([...clean].length <= most) return clean;
  const head = [...clean].slice(0, most - 1).join('');
  const blank = head.lastIndexOf(' ');
  return `${(blank > most * 0.6 ? head.slice(0, blank) : head).trimEnd()}…`;
}

/** Grounds of coins without a picture, each with the ink that is read on it. */
const COINS = [
  ['#FFB627', '#3B1F0B'],
  ['#FF6B5E', '#3A0D18'],
  ['#35C98A', '#06372B'],
  ['#5CB8FF', '#0B2447'],
  ['#F3DFB6', '#5A1420'],
  ['#F48FB1', '#4A0E2C'],
  ['#C2DE45', '#22330A'],
  ['#FF8A3D', '#3C1404'],
] as const;

const PICTURE = 264;

function coin(card: Card): Box[] {
  if (card.picture)
    return [
      {
        type: 'img',
        props: {
          src: `data:image/png;base64,${Buffer.from(card.picture).toString('base64')}`,
          width: PICTURE,
          height: PICTURE,
          style: { borderRadius: 58, objectFit: 'cover' },
        },
      },
    ];
  if (card.symbol === null) return [];
  let hash = 7;
  for (const sign of card.seed) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) >>> 0;
  const [ground, ink] = COINS[hash % COINS.length] ?? COINS[0];
  const letters = [...printable(card.symbol)].slice(0, 10).join('') || '?';
  const middle = { alignItems: 'center', justifyContent: 'center' };
  return [
    box(
      { ...middle, width: PICTURE, height: PICTURE, borderRadius: 58, background: ground },
      box(
        { ...middle, width: 228, height: 228, borderRadius: 114, border: `6px dotted ${ink}` },
        box(
          {
            ...middle,
            width: 196,
            height: 196,
            borderRadius: 98,
            background: ink,
            color: ground,
            fontFamily: DISPLAY,
            fontWeight: 800,
            fontSize: Math.min(84, Math.floor(250 / letters.length)),
          },
          letters,
        ),
      ),
    ),
  ];
}

/** The puppet's head with the crown, as on every page. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="M7.2 14.4 5.6 5.6l5.5 4L16 2.8l4.9 6.8 5.5-4-1.6 8.8z" fill="#ffb627" stroke="#ffb627" stroke-width="1.6"/><path d="M6.6 18.2v2.2a9.4 9.4 0 0 0 18.8 0v-2.2M12.2 29v-4.3h7.6V29M12 20.2h.01M20 20.2h.01" stroke="#f4f1ea" stroke-width="2.6"/></svg>`;
async function mark(size: number): Promise<Box> {
  const sharp = await loadSharp();
  const drawn = await sharp(Buffer.from(MARK), { density: (72 * size) / 32 })
    .resize(size, size)
    .png()
    .toBuffer();
  return {
    type: 'img',
    props: { src: `data:image/png;base64,${drawn.toString('base64')}`, width: size, height: size },
  };
}

/** The sign of the house: bunting over the card's head. */
const bunting = (): Box =>
  box(
    { position: 'absolute', top: 0, left: 0, width: CARD_WIDTH, height: 34 },
    ...Array.from({ length: 24 }, (_, i) =>
      box({
        width: 0,
        height: 0,
        borderLeft: '25px solid transparent',
        borderRight: '25px solid transparent',
        borderTop: `34px solid ${['#FFB627', '#FF5D5D', '#3DDC97', '#5CB8FF'][i % 4]}`,
      }),
    ),
  );

/** Draws a card as PNG, without any font of the machine. */
export async function drawCard(card: Card): Promise<Buffer> {
  const sharp = await loadSharp();
  const title = cut(card.title, 62);
  const text = cut(card.text, 110);
  const picture = card.picture
    ? await sharp(card.picture).resize(PICTURE, PICTURE, { fit: 'cover' }).png().toBuffer()
    : null;
  const figures = card.figures.map(({ value, name }) =>
    box(
      { flexDirection: 'column', marginRight: 64 },
      box({ fontFamily: DISPLAY, fontWeight: 800, fontSize: 64, color: '#FFB627' }, printable(value)),
      box({ fontSize: 28, color: '#A9A7B8' }, printable(name)),
    ),
  );
  /** Neither picture nor coin: the house's own head stands there. */
  const bare = card.picture === null && card.symbol === null;
  const tree = box(
    {
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      background: '#0E0F1A',
      color: '#F4F1EA',
      fontFamily: BODY,
      fontWeight: 600,
      flexDirection: 'column',
      justifyContent: 'space-between',
      boxSizing: 'border-box',
      padding: '92px 72px 56px',
    },
    bunting(),
    box(
      { alignItems: 'center', width: '100%', flexGrow: 1 },
      ...coin({ ...card, picture }),
      box(
        {
          flexDirection: 'column',
          flexGrow: 1,
          flexShrink: 1,
          flexBasis: 0,
          marginLeft: card.picture || card.symbol !== null ? 52 : 0,
        },
        box({ fontSize: 30, color: '#FFB627' }, cut(card.kicker, 60)),
        box(
          {
            fontFamily: DISPLAY,
            fontWeight: 800,
            fontSize: title.length > 34 ? 60 : title.length > 20 ? 74 : 92,
            lineHeight: 1.05,
            marginTop: 10,
          },
          title,
        ),
        ...(text ? [box({ fontSize: 30, lineHeight: 1.35, color: '#A9A7B8', marginTop: 18 }, text)] : []),
      ),
      ...(bare ? [box({ marginLeft: 48 }, await mark(300))] : []),
    ),
    box(
      { alignItems: 'flex-end', justifyContent: 'space-between', width: '100%' },
      box({}, ...figures),
      box(
        { alignItems: 'center', fontFamily: DISPLAY, fontWeight: 800, fontSize: 44, color: '#F4F1EA' },
        ...(bare ? [] : [await mark(56)]),
        box({ marginLeft: 16 }, 'Florka'),
      ),
    ),
  );
  const svg = await satori(tree as never, { width: CARD_WIDTH, height: CARD_HEIGHT, fonts: fonts() });
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer();
}
