import { isReservedName } from '#contract/text/names.ts';

/**
 * Letters and signs that look like a letter of Latin: small capitals and signs of phonetics, Cherokee, Lisu, Coptic, Armenian, syllabics.
 * The database compares names by them too (florka_name_key), which reads accents and the common letters of Cyrillic and Greek besides.
 */
export const LETTERS_ALIKE: Readonly<Record<string, string>> = {
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
  Object.entries(LETTERS_ALIKE).flatMap(([latin, signs]) => [...signs].map((sign) => [sign, latin])),
);

/** Whether a name speaks for the site, also in letters that only look like those. */
export const speaksForSite = (name: string): boolean =>
  isReservedName(name) || isReservedName([...name.normalize('NFKC')].map((sign) => LATIN.get(sign) ?? sign).join(''));
