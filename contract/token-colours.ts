/**
 * Colours of one token: background, dark ink, accent, light paper. Every palette was chosen for legibility at 32 px on ink and
 * on paper.
 */
export const PALETTES = [
  ['#FFB627', '#3B1F0B', '#E8432E', '#FFF3D6'],
  ['#FF6B5E', '#3A0D18', '#FFD166', '#FFF1E6'],
  ['#35C98A', '#06372B', '#FF7F50', '#F2FFE9'],
  ['#5CB8FF', '#0B2447', '#FFCE3D', '#EFF8FF'],
  ['#24346E', '#0D1230', '#FFB627', '#F7EBD0'],
  ['#F3DFB6', '#5A1420', '#D7263D', '#FFFDF5'],
  ['#0F766E', '#042F2C', '#F9C74F', '#E9FFF7'],
  ['#F48FB1', '#4A0E2C', '#FFE45E', '#FFF0F6'],
  ['#8C2432', '#2B070D', '#FF9F6B', '#FFE9D6'],
  ['#C2DE45', '#22330A', '#FF6B35', '#FBFFE0'],
  ['#34343F', '#131318', '#3DDC97', '#F4F1EA'],
  ['#FF8A3D', '#3C1404', '#1FA99C', '#FFF4E4'],
] as const;

/** Colours of a token's coin, for the elements around it. */
export function tokenColours(id: string): { ground: string; accent: string } {
  const [ground, , accent] = pick(PALETTES, hashText(id));
  return { ground, accent };
}

/** The element of a list that a hash chooses. */
export const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

/**
 * FNV-1a with a final mix: the same number for the same text on the server and in the browser. Use it to choose colours and
 * shapes from an id, never for secrets.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
