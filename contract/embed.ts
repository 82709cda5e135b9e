/** The ranking for frames on other sites: paths by language, and the usual size in CSS pixels. */
export const EMBED = {
  paths: { es: '/embed/ranking', en: '/embed/en/ranking' },
  width: 420,
  height: 520,
} as const;
