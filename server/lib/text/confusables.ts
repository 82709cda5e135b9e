import { isReservedName } from '#contract/text/names.ts';

/**
 * Characters that look like a Latin letter, by that letter: small capitals and phonetic characters, Cherokee, Lisu,
 * Coptic, Armenian, syllabics. The database uses the same list to compare names (florka_name_key), and in addition
 * normalizes accents and the common Cyrillic and Greek letters.
 */
export const CONFUSABLES: Readonly<Record<string, string>> = {
  a: 'ᴀⱥȺᎪꭺꓮⲀⲁᗅ',
  b: 'ʙƅƄƀɃɓƁᏏꮟᏴᏼꓐᗷᑲᖯⲂⲃ',
  c: 'ᴄƈƇȼȻᏟꮯꓚⲤⲥᑕ',
  d: 'ᴅɗƊɖƉᎠꭰᏧꮷꓓᗞᗪᑯ',
  e: 'ᴇɛƐɇɆєЄҽҼ℮ᎬꭼꓰⲈⲉ',
  f: 'ꜰƒƑꞙꞘꓝᖴ',
  g: 'ɢǥǤɠƓᶃԍԌցՑᏀꮐꓖ',
  h: 'ʜɦћЋհՀᎻꮋᏂꮒꓧᕼⲎⲏ',
  i: 'ɪɩƖɨƗᎥꭵꓲⲒⲓ',
  j: 'ᴊɉɈȷᎫꭻꓙᒍ',
  k: 'ᴋĸƙƘⱪⱩᏦꮶꓗⲔⲕ',
  l: 'ʟɭɫⱢƚȽӏӀլԼᏞꮮꓡᒪⵏ׀ا',
  m: 'ᴍɱⱮᎷꮇꓟᗰⲘⲙ',
  n: 'ɴɲƝŋŊոՈꓠᑎⲚⲛ',
  o: 'ᴏօՕꓳⲞⲟ૦໐০ഠဝסە',
  p: 'ᴘƥƤᏢꮲꓑᑭⲢⲣ',
  q: 'ʠɋɊզԶ',
  r: 'ʀꭇɍɌᎡꭱᏒꮢꓣᖇ',
  s: 'ꜱʂⱾȿՏտᏚꮪꓢ',
  t: 'ᴛŧŦⱦȾƭƬᎢꭲꓔⲦⲧ',
  u: 'ᴜսՍꓴᑌ',
  v: 'ᴠʋƲѵѴᏙꮩꓦᐯ',
  w: 'ᴡѡѠᎳꮃᏔꮤꓪᗯ',
  x: '×ꓫ᙭Ⲭⲭ',
  y: 'ʏỿỾɏɎүҮᎩꭹꓬⲨⲩ',
  z: 'ᴢƶƵⱬⱫᏃꮓꓜᘔ',
};
const LATIN = new Map(
  Object.entries(CONFUSABLES).flatMap(([latin, characters]) => [...characters].map((character) => [character, latin])),
);

/** True if a name suggests an official account, also when written in look-alike characters. */
export const impersonatesSite = (name: string): boolean =>
  isReservedName(name) ||
  isReservedName([...name.normalize('NFKC')].map((character) => LATIN.get(character) ?? character).join(''));
