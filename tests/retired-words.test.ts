import { expect, test } from 'vitest';
import { findRetired } from '../scripts/check-words.ts';

const found = (path: string, text: string) => findRetired([{ path, text }]).map((use) => `${use.where} ${use.found}`);

test('retired names are found in code', () => {
  expect(found('server/a.ts', 'const house = openHouse();\nhouse.close();')).toEqual([
    'server/a.ts:1 house',
    'server/a.ts:1 openHouse',
    'server/a.ts:2 house',
  ]);
  expect(found('app/a.tsx', 'const BODY_MOST = 1;')).toEqual(['app/a.tsx:1 _MOST']);
  expect(found('app/a.ts', 'const LOOK = 60_000;')).toEqual(['app/a.ts:1 LOOK']);
  expect(found('server/a.ts', 'askWitness({ patience, bytesMost, nextTryAt });')).toEqual([
    'server/a.ts:1 askW',
    'server/a.ts:1 patience',
    'server/a.ts:1 bytesMost',
    'server/a.ts:1 TryAt',
  ]);
  expect(found('server/a.ts', 'const way = wayOf(query); if (isPoor(failure)) throw nonsense(way);')).toEqual([
    'server/a.ts:1 way',
    'server/a.ts:1 wayOf',
    'server/a.ts:1 isPoor',
    'server/a.ts:1 nonsense',
  ]);
  expect(found('server/a.ts', 'await takeLimits(tx);')).toEqual(['server/a.ts:1 takeLimits']);
  expect(found('server/a.ts', 'requireProof(me); type A = Happening;')).toEqual([
    'server/a.ts:1 requireProof',
    'server/a.ts:1 Happening',
  ]);
  expect(found('server/a.ts', 'const ACTS = GATHER_MS;')).toEqual(['server/a.ts:1 ACTS', 'server/a.ts:1 GATHER']);
  expect(found('app/a.ts', 'const capSaidBy = whenNear;')).toEqual(['app/a.ts:1 SaidBy', 'app/a.ts:1 whenNear']);
});

test('some retired words are found only as declared names', () => {
  expect(
    found('server/a.ts', 'const [asked, { answer: said }] = read();\n  function act() {}\ntype Asked = 1;'),
  ).toEqual(['server/a.ts:1 asked', 'server/a.ts:1 said', 'server/a.ts:2 act', 'server/a.ts:3 Asked']);
  expect(
    found('server/a.ts', 'const requested = `select said from asked`;\nconst { asked: requested } = row;'),
  ).toEqual([]);
});

test('retired words are found in names of files', () => {
  expect(found('tests/vote-acts.test.ts', '')).toEqual(['tests/vote-acts.test.ts:1 acts']);
  expect(found('server/domains/notifications/happenings.ts', '')).toEqual([
    'server/domains/notifications/happenings.ts:1 happenings',
  ]);
  expect(found('app/ui/MakerPart.tsx', '')).toEqual(['app/ui/MakerPart.tsx:1 maker']);
  expect(found('app/lib/messages/promises.ts', '')).toEqual(['app/lib/messages/promises.ts:1 promises']);
  expect(found('bench/lib/stage.ts', '')).toEqual(['bench/lib/stage.ts:1 stage']);
  expect(found('server/domains/payments/orders/request-stage.service.ts', '')).toEqual([]);
  expect(found('server/keeping/actions.ts', '')).toEqual([]);
});

test('retired words are found in comments and documents', () => {
  expect(found('server/a.ts', '// What the keeper holds.\nconst store = 1;')).toEqual(['server/a.ts:1 keeper']);
  expect(found('tests/a.ts', '// As in the other stories.')).toEqual(['tests/a.ts:1 stories']);
  expect(found('docs/a.md', 'The house has doors.')).toEqual(['docs/a.md:1 The house']);
  expect(found('server/a.ts', '/** Its owner is told of each happening. */')).toEqual([
    'server/a.ts:1 told',
    'server/a.ts:1 happening',
  ]);
  expect(found('docs/a.md', 'Its owner is told.')).toEqual([]);
});

test('characters are neither letters nor signs, and a request is no wish', () => {
  expect(found('app/a.ts', 'const MIN_LETTERS = nameLetters.length;')).toEqual([
    'app/a.ts:1 LETTERS',
    'app/a.ts:1 eLetters',
  ]);
  expect(found('server/a.ts', 'const all = map(([latin, signs]) => signs);')).toEqual(['server/a.ts:1 signs']);
  expect(found('server/domains/account/a.test.ts', 'const wished = 1;')).toEqual([
    'server/domains/account/a.test.ts:1 wished',
  ]);
  expect(found('server/a.ts', 'const letters = sign(random.letters(9));')).toEqual([]);
  expect(found('server/a.ts', '/** After too many tries. */')).toEqual(['server/a.ts:1 many tries']);
  expect(found('server/a.ts', '// The next call tries again.')).toEqual([]);
});

test('of catalogues of texts the comments and names are read, and no text', () => {
  const catalogue = [
    '/** What members are told. */',
    "import { wayOf } from './a.ts';",
    'export const texts = {',
    "  way: 'The way of the makers',",
    `  told: (way: string) => \`Don’t ask the house, \${way === "lane" ? \`the \${wayOf({ way })} house\` : "desk"} of the keeper\`,`,
    `  usual: \`a \\\` house \${1}`,
    '    maker`,',
    '};',
  ].join('\n');
  expect(found('app/lib/messages/a.ts', catalogue)).toEqual([
    'app/lib/messages/a.ts:2 wayOf',
    'app/lib/messages/a.ts:4 way',
    'app/lib/messages/a.ts:5 told',
    'app/lib/messages/a.ts:5 way',
    'app/lib/messages/a.ts:5 wayOf',
    'app/lib/messages/a.ts:6 usual',
    'app/lib/messages/a.ts:1 told',
  ]);
});

test('retired words are found in classes and comments of style sheets', () => {
  const css = [
    "@import './house.css';",
    '.stat-told > .stat-value {',
    '  margin: .5rem;',
    '  background: url(a.desk);',
    '}',
    '/* For the makers. */',
    '.admin-asking,',
    '.MakerPart::before {',
    '  content: ".desk";',
    '}',
  ].join('\n');
  expect(found('app/a.css', css)).toEqual(['app/a.css:2 told', 'app/a.css:8 maker', 'app/a.css:6 makers']);
});

test('retired words are not found in strings, nor in names that only contain them', () => {
  expect(found('server/a.ts', "const text = 'the house';\nconst warehouse = `house`.length;")).toEqual([
    'server/a.ts:2 house',
  ]);
  expect(found('server/a.ts', 'const services = 1; // a comment that says nothing wrong')).toEqual([]);
});
