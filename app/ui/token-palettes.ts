/** Colours of one token: ground, dark ink, accent, pale paper. */
export interface TokenPalette {
  ground: string;
  ink: string;
  pop: string;
  pale: string;
}

const rows = [
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

/** The curated set: every pair was chosen to be read at 32 px on ink and on paper. */
export const tokenPalettes: readonly TokenPalette[] = rows.map(([ground, ink, pop, pale]) => ({
  ground,
  ink,
  pop,
  pale,
}));
