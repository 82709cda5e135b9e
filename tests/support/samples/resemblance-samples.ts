// Generated names and images of tokens, for measuring resemblance; the same for the same seed.

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FIRST = (
  'Moon Pepe Doge Shiba Solar Lunar Turbo Hyper Mega Baby King Magic Pixel Crypto Meta Cyber Green Golden Silver Iron ' +
  'Quantum Atomic Cosmic Astro Nova Ocean River Panda Tiger Wolf Fox Bear Bull Whale Shark Frog Hamster Monkey Cobra Falcon ' +
  'Eagle Raven Samurai Ninja Viking Pirate Wizard Rocket Laser Pizza Taco Mango Luna Sol Fuego Rayo Condor Jaguar Maya Inca'
).split(' ');
const SECOND = (
  'Inu Swap Finance Chain Cash Dao Verse Pay Vault Bit Protocol Club Network Lab Farm Bank Labs Punks World Game Cat Dog Power ' +
  'Token Coin Gold Energy Capital Works Market Bridge Stake Land Quest Arena Drop Box Wave Storm Fire'
).split(' ');
const ENDINGS = ['io', 'com', 'xyz', 'finance', 'app', 'org', 'net'];

export interface Sample {
  tokenName: string;
  tokenSymbol: string;
  websiteUrl: string;
  twitterUrl: string;
  contractAddress: string;
  /** Properties of the logo. */
  svg: string;
}

/** A token with name, symbol, links, contract and logo. */
export function sampleToken(seed: number): Sample {
  const next = numbers(seed * 7919 + 17);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const first = pick(FIRST);
  const second = pick(SECOND);
  const syllables = Array.from({ length: 2 }, () => pick([...'bcdfglmnprstvz']) + pick([...'aeiou'])).join('');
  const tokenName = pick([
    `${first} ${second}`,
    `${first}${second.toLowerCase()}`,
    `${syllables[0]?.toUpperCase()}${syllables.slice(1)}${pick(['x', 'ra', 'lia', 'nix', 'to'])} ${second}`,
    `${first} ${pick(FIRST)}`,
    `${first} ${pick(FIRST)} ${second}`,
  ]);
  const letters = tokenName.replace(/[^A-Za-z]/g, '').toUpperCase();
  const tokenSymbol = pick([
    letters.slice(0, 4),
    letters.slice(0, 3) + letters.slice(-2),
    letters
      .replace(/[AEIOU]/g, '')
      .slice(0, 5)
      .padEnd(3, 'X'),
  ]);
  const slug = tokenName.toLowerCase().replace(/[^a-z]/g, '');
  return {
    tokenName,
    tokenSymbol,
    websiteUrl: `https://${pick(['', 'www.'])}${slug}.${pick(ENDINGS)}/`,
    twitterUrl: `https://x.com/${slug}${pick(['', '_io', 'hq', 'token'])}`,
    contractAddress: `0x${Array.from({ length: 40 }, () => Math.floor(next() * 16).toString(16)).join('')}`,
    svg: logo(next, letters),
  };
}

const colour = (next: () => number, light: [number, number] = [20, 75]): string =>
  `hsl(${Math.floor(next() * 360)} ${40 + Math.floor(next() * 60)}% ${Math.floor(light[0] + next() * (light[1] - light[0]))}%)`;

/** A polygon around the middle, for stars, crystals and gears. */
const polygon = (next: () => number, points: number, inner: number): string => {
  const turn = next() * Math.PI;
  const at = (i: number) => {
    const radius = i % 2 ? inner : 62;
    const angle = turn + (i * Math.PI) / points;
    return `${(128 + radius * Math.cos(angle)).toFixed(1)},${(128 + radius * Math.sin(angle)).toFixed(1)}`;
  };
  return Array.from({ length: points * 2 }, (_, i) => at(i)).join(' ');
};

/** Typical logos: a disc, a rounded square or no background behind letters, stars, animals, coins, rings or waves. */
function logo(next: () => number, letters: string): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const [one, two, ink] = [
    colour(next),
    colour(next),
    pick([colour(next, [88, 99]), colour(next, [3, 12]), colour(next)]),
  ];
  const n = (min: number, max: number) => Math.round(min + next() * (max - min));
  const ground = pick([
    '<circle cx="128" cy="128" r="124" fill="url(#g)"/>',
    `<rect width="256" height="256" rx="${n(0, 70)}" fill="url(#g)"/>`,
    `<circle cx="128" cy="128" r="118" fill="url(#g)" stroke="${ink}" stroke-width="${n(4, 16)}"/>`,
    '',
  ]);
  const sign = pick([
    () =>
      `<text x="128" y="${n(165, 185)}" font-size="${n(100, 170)}" font-family="${pick(['DejaVu Sans', 'DejaVu Serif', 'Liberation Sans', 'monospace'])}" font-weight="${pick(['400', '800'])}" text-anchor="middle" fill="${ink}">${letters.slice(0, n(1, 2))}</text>`,
    () => `<polygon points="${polygon(next, n(3, 8), n(18, 46))}" fill="${ink}"/>`,
    () =>
      `<g fill="${ink}"><ellipse cx="128" cy="${n(130, 150)}" rx="${n(44, 70)}" ry="${n(38, 62)}"/><polygon points="70,110 ${n(60, 84)},${n(36, 60)} 118,86"/><polygon points="186,110 ${n(172, 196)},${n(36, 60)} 138,86"/></g><circle cx="${n(98, 112)}" cy="${n(120, 138)}" r="${n(6, 13)}" fill="${two}"/><circle cx="${n(144, 158)}" cy="${n(120, 138)}" r="${n(6, 13)}" fill="${two}"/>`,
    () =>
      `<circle cx="${n(108, 148)}" cy="${n(108, 148)}" r="${n(40, 72)}" fill="none" stroke="${ink}" stroke-width="${n(10, 30)}"/><circle cx="${n(80, 176)}" cy="${n(80, 176)}" r="${n(12, 34)}" fill="${two}"/>`,
    () =>
      `<path d="M${n(20, 70)} ${n(90, 170)} C ${n(70, 110)} ${n(10, 90)}, ${n(130, 180)} ${n(160, 245)}, ${n(190, 236)} ${n(60, 190)}" fill="none" stroke="${ink}" stroke-width="${n(14, 40)}" stroke-linecap="round"/>`,
    () =>
      `<polygon points="${n(130, 170)},${n(30, 60)} ${n(70, 100)},${n(130, 150)} ${n(118, 130)},${n(128, 146)} ${n(90, 120)},${n(200, 230)} ${n(170, 200)},${n(108, 126)} ${n(134, 146)},${n(108, 122)}" fill="${ink}"/>`,
    () =>
      Array.from(
        { length: n(3, 6) },
        () =>
          `<rect x="${n(40, 170)}" y="${n(40, 170)}" width="${n(20, 80)}" height="${n(20, 80)}" rx="${n(0, 20)}" fill="${pick([ink, two])}"/>`,
      ).join(''),
  ])();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><defs><linearGradient id="g" x1="0" y1="0" x2="${pick([0, 1])}" y2="1"><stop offset="0" stop-color="${one}"/><stop offset="1" stop-color="${two}"/></linearGradient></defs>${ground}${sign}</svg>`;
}
