import display from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import text from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** Addresses of the two faces of the first paint, for `<link rel="preload" as="font" type="font/woff2" crossorigin>`. */
export const fontPreloads: readonly string[] = [text, display];
