import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Font } from 'satori';
import { SITE_NAME_MAX } from '#contract/site.ts';
import { tokenArt } from '#contract/token-art.ts';
import { loadSharp } from '#server/lib/process/sharp.ts';

/** Content of a card. Texts are complete; drawing truncates them. */
export interface Card {
  /** Small text above the title. */
  kicker: string;
  title: string;
  /** Text below the title; at most one sentence. */
  text: string;
  /** Figure on the ticket's stub: a rank, a date. Null: the site's mark is drawn there. */
  stub: Figure | null;
  /** Shown below the texts. */
  figures: Figure[];
  /**
   * Chart of values over time, beside the figures, with a baseline of zero. `today`: the last value is of an unfinished
   * day.
   */
  curve: { values: number[]; name: string; today: boolean } | null;
  /** Name of the site, in the footer with its mark. */
  siteName: string;
  /** Bytes of the site's own mark; null for the drawn default mark. */
  mark: Uint8Array | null;
  /** Text in the footer: an end or a start date. */
  note: string;
  /** Bytes of the token's image; null for a drawn coin, or for no image if `symbol` is null as well. */
  picture: Uint8Array | null;
  symbol: string | null;
  /** The token's id, which determines the look of its coin. */
  id: string;
}
interface Figure {
  value: string;
  name: string;
}

/** The size that social networks recommend, in pixels. */
const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;

const require = createRequire(path.join(process.cwd(), 'package.json'));
const fontFile = (family: string, file: string) =>
  readFileSync(path.join(path.dirname(require.resolve(`@fontsource/${family}/package.json`)), 'files', file));

/** Loaded with the first card: most processes draw none for a long time. */
let loaded: Font[] | undefined;
function fonts(): Font[] {
  loaded ??= [
    ...(['latin', 'latin-ext'] as const).map((part) => ({
      // Each part needs its own family name, otherwise only the first would be used.
      name: `Bricolage ${part}`,
      weight: 800 as const,
      style: 'normal' as const,
      data: fontFile('bricolage-grotesque', `bricolage-grotesque-${part}-800-normal.woff`),
    })),
    // For characters in names that the display font lacks.
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

/** Removes pictographs and other characters that none of the fonts has and that would be drawn as empty boxes. */
const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{Zs}$€£+<=>|~^°·…]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Truncates a text to `max` characters, at a word boundary if there is one near the end. */
export function cut(text: string, max: number): string {
  const clean = printable(text);
  if ([...clean].length <= max) return clean;
  const head = [...clean].slice(0, max - 1).join('');
  const blank = head.lastIndexOf(' ');
  return `${(blank > max * 0.6 ? head.slice(0, blank) : head).trimEnd()}…`;
}

/** Position of the token's image on the card, in pixels. */
export const ART = { left: 92, top: 124, size: 220 } as const;
const ROUNDED = { borderRadius: 48 } as const;

const image = (png: Buffer, width: number, height: number, style: Style = {}): Box => ({
  type: 'img',
  props: { src: `data:image/png;base64,${png.toString('base64')}`, width, height, style },
});

/** Renders an SVG without text as PNG: text would be drawn with fonts of the machine. */
async function rasterize(svg: string, width: number, height: number): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg), { density: 288 }).resize(width, height, { fit: 'fill' }).png().toBuffer();
}

const svgOf = (box: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`;

/** The uploaded image, otherwise the coin that all screens draw for the token. */
async function art(card: Card): Promise<Box[]> {
  const { size } = ART;
  if (card.picture) {
    const sharp = await loadSharp();
    return [
      image(await sharp(card.picture).resize(size, size, { fit: 'cover' }).png().toBuffer(), size, size, ROUNDED),
    ];
  }
  if (card.symbol === null) return [];
  const { drawing, characters } = tokenArt(card.id, printable(card.symbol));
  const scale = size / 96;
  return [
    box(
      { position: 'relative', width: size, height: size },
      image(await rasterize(svgOf('0 0 96 96', drawing), size, size), size, size, ROUNDED),
      ...(characters?.text
        ? [
            box(
              {
                position: 'absolute',
                left: 0,
                top: (characters.y - characters.size / 2) * scale,
                width: size,
                height: characters.size * scale,
                alignItems: 'center',
                justifyContent: 'center',
                color: characters.fill,
                fontFamily: DISPLAY,
                fontWeight: 800,
                fontSize: characters.size * scale,
                lineHeight: 1,
                letterSpacing: characters.spacing * scale,
              },
              characters.text,
            ),
          ]
        : []),
    ),
  ];
}

const CURVE = { width: 380, height: 96 } as const;

/** The line, the area below it, and the unfinished day as a dashed line. */
async function curve({ values, name, today }: NonNullable<Card['curve']>): Promise<Box> {
  const { width, height } = CURVE;
  const low = Math.min(0, ...values);
  const span = Math.max(...values) - low || 1;
  const at = values.map((value, i) => [
    Math.round((i / Math.max(1, values.length - 1)) * (width - 16) + 8),
    Math.round(height - 8 - ((value - low) / span) * (height - 16)),
  ]);
  const whole = today && at.length > 2 ? at.slice(0, -1) : at;
  const path = (points: number[][]) => `M${points.map((point) => point.join(' ')).join('L')}`;
  const stroke = 'fill="none" stroke="#FFB627" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"';
  const drawing = [
    `<path d="${path(at)}L${width - 8} ${height}L8 ${height}Z" fill="#FFB627" opacity="0.16"/>`,
    `<path d="${path(whole)}" ${stroke}/>`,
    whole === at ? '' : `<path d="${path(at.slice(-2))}" ${stroke} stroke-dasharray="2 11"/>`,
  ].join('');
  return box(
    { flexDirection: 'column', alignItems: 'flex-end' },
    image(await rasterize(svgOf(`0 0 ${width} ${height}`, drawing), width, height), width, height),
    box({ fontSize: 22, color: '#A9A7B8', marginTop: 4 }, printable(name)),
  );
}

/** The default mark: the puppet's head with the crown, as on every page. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="M7.2 14.4 5.6 5.6l5.5 4L16 2.8l4.9 6.8 5.5-4-1.6 8.8z" fill="#ffb627" stroke="#ffb627" stroke-width="1.6"/><path d="M6.6 18.2v2.2a9.4 9.4 0 0 0 18.8 0v-2.2M12.2 29v-4.3h7.6V29M12 20.2h.01M20 20.2h.01" stroke="#f4f1ea" stroke-width="2.6"/></svg>`;
async function mark({ mark: own }: Card, size: number): Promise<Box> {
  if (!own) return image(await rasterize(MARK, size, size), size, size);
  const sharp = await loadSharp();
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return image(await sharp(own).resize(size, size, { fit: 'contain', background }).png().toBuffer(), size, size);
}

/** The decoration at the top of every card. */
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

const TICKET = { left: 48, top: 76, width: CARD_WIDTH - 96, height: 462, stub: 300 } as const;
const NOTCH = 22;

/** The two notches at the ends of the ticket's perforation. */
const notches = (): Box[] =>
  [TICKET.top, TICKET.top + TICKET.height].map((y) =>
    box({
      position: 'absolute',
      left: TICKET.left + TICKET.width - TICKET.stub - NOTCH,
      top: y - NOTCH,
      width: 2 * NOTCH,
      height: 2 * NOTCH,
      borderRadius: NOTCH,
      background: '#0E0F1A',
    }),
  );

/** The stub of the ticket: one figure in the largest fitting size, or the mark. */
async function stub(card: Card): Promise<Box> {
  const figure = card.stub;
  const value = figure ? printable(figure.value) : '';
  return box(
    {
      flexDirection: 'column',
      alignItems: 'center',
      justifyContent: 'center',
      width: TICKET.stub,
      height: TICKET.height,
      background: '#35290F',
      borderLeft: '6px dotted #0E0F1A',
      borderRadius: '0 28px 28px 0',
      boxSizing: 'border-box',
      padding: 24,
    },
    ...(figure
      ? [
          box(
            {
              fontFamily: DISPLAY,
              fontWeight: 800,
              fontSize: Math.max(40, Math.min(128, Math.floor(430 / Math.max(1, value.length)))),
              lineHeight: 1.05,
              color: '#FFB627',
              textAlign: 'center',
            },
            value,
          ),
          box({ fontSize: 28, color: '#D9CDB4', marginTop: 8, textAlign: 'center' }, printable(figure.name)),
        ]
      : [await mark(card, 190)]),
  );
}

/** The texts beside the image. */
function textBox(card: Card, besideArt: boolean): Box {
  const title = cut(card.title, besideArt ? 44 : 80);
  const text = cut(card.text, besideArt ? 72 : 150);
  const size = besideArt ? (title.length > 26 ? 46 : title.length > 14 ? 56 : 72) : title.length > 44 ? 54 : 68;
  return box(
    { flexDirection: 'column', flexGrow: 1, flexShrink: 1, flexBasis: 0, marginLeft: besideArt ? 36 : 0 },
    box({ fontSize: 26, color: '#FFB627' }, cut(card.kicker, 44)),
    box({ fontFamily: DISPLAY, fontWeight: 800, fontSize: size, lineHeight: 1.05, marginTop: 8 }, title),
    ...(text ? [box({ fontSize: 26, lineHeight: 1.35, color: '#A9A7B8', marginTop: 12 }, text)] : []),
  );
}

const figuresOf = (card: Card): Box[] =>
  card.figures.map(({ value, name }) =>
    box(
      { flexDirection: 'column', marginRight: 44 },
      box({ fontFamily: DISPLAY, fontWeight: 800, fontSize: 50, lineHeight: 1.1 }, printable(value)),
      box({ fontSize: 24, color: '#A9A7B8' }, printable(name)),
    ),
  );

/** Draws a card as PNG with the bundled fonts only. */
export async function drawCard(card: Card): Promise<Buffer> {
  const sharp = await loadSharp();
  const picture = await art(card);
  const plain = picture.length === 0;
  const below = [
    ...(card.figures.length > 0 ? [box({}, ...figuresOf(card))] : []),
    ...(card.curve ? [await curve(card.curve)] : []),
  ];
  const tree = box(
    {
      position: 'relative',
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      background: '#0E0F1A',
      color: '#F4F1EA',
      fontFamily: BODY,
      fontWeight: 600,
    },
    bunting(),
    box(
      { position: 'absolute', left: TICKET.left, top: TICKET.top, width: TICKET.width, height: TICKET.height },
      box(
        {
          flexDirection: 'column',
          justifyContent: plain && below.length === 0 ? 'center' : 'space-between',
          width: TICKET.width - TICKET.stub,
          height: TICKET.height,
          boxSizing: 'border-box',
          padding: `${ART.top - TICKET.top}px ${ART.left - TICKET.left}px 32px`,
          background: '#171927',
          borderRadius: '28px 0 0 28px',
        },
        box(
          { width: '100%', minHeight: plain ? 0 : ART.size, alignItems: 'flex-start' },
          ...picture,
          textBox(card, !plain),
        ),
        ...(below.length > 0
          ? [box({ width: '100%', justifyContent: 'space-between', alignItems: 'flex-end' }, ...below)]
          : []),
      ),
      await stub(card),
    ),
    ...notches(),
    box(
      {
        position: 'absolute',
        left: TICKET.left,
        top: TICKET.top + TICKET.height,
        width: TICKET.width,
        height: CARD_HEIGHT - TICKET.top - TICKET.height,
        alignItems: 'center',
        justifyContent: 'space-between',
      },
      box(
        { alignItems: 'center', fontFamily: DISPLAY, fontWeight: 800, fontSize: 40 },
        ...(card.stub ? [await mark(card, 48), box({ width: 14 })] : []),
        box({}, cut(card.siteName, SITE_NAME_MAX)),
      ),
      box({ fontSize: 28, color: '#D9CDB4' }, cut(card.note, 60)),
    ),
  );
  // Loaded with the first card: its layout engine and fonts are WebAssembly that most processes never need.
  const { default: satori } = await import('satori');
  const svg = await satori(tree as never, { width: CARD_WIDTH, height: CARD_HEIGHT, fonts: fonts() });
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer();
}
