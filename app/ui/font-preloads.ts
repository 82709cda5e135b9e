import display from './fonts/bricolage-grotesque.woff2?url';
import text from './fonts/inter.woff2?url';

/** Addresses of the two faces of the first paint, for `<link rel="preload" as="font" type="font/woff2" crossorigin>`. */
export const fontPreloads: readonly string[] = [text, display];
