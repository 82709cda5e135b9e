import { describe, expect, it } from 'vitest';
import { publicName } from '../fields/schemas.ts';
import { cleanName, isReservedName, suggestedName } from './names.ts';

describe('a public name', () => {
  it.each([
    ['a zero-width space', 'ma\u200brta', 'marta'],
    ['a joiner', 'ma\u200drta', 'marta'],
    ['a turned direction', '\u202eatram', 'atram'],
    ['a soft hyphen and a mark of direction', 'mar\u00ad\u200eta', 'marta'],
    ['wide letters', 'ｍａｒｔａ', 'marta'],
    ['letters of mathematics', '𝓶𝓪𝓻𝓽𝓪', 'marta'],
    ['blanks of every kind', '  la\u00a0\u3000\u2003marta ', 'la marta'],
    ['a filler of Hangul', 'mar\u3164ta', 'marta'],
    ['the blank of Braille', 'mar\u2800ta', 'marta'],
    ['a tower of accents', 'ma\u0335\u0336\u0337\u0338rta', 'ma\u0335\u0336rta'],
    ['a line break', 'la\nmarta', 'la marta'],
  ])('loses %s', (_what, typed, kept) => {
    expect(publicName.parse(typed)).toBe(kept);
    expect(cleanName(cleanName(typed))).toBe(cleanName(typed));
  });

  it.each([
    ['nothing that is seen', '\u200b\u200b\u200b\u200b'],
    ['fillers', '\u3164\u3164\u3164'],
    ['punctuation alone', '---'],
    ['Cyrillic among Latin', 'аdministrator'],
    ['Greek among Latin', 'ρedro'],
    ['Lisu among Latin', 'ꓮdministrator'],
    ['Coptic among Latin', 'pedrⲟ'],
    ['a sign of syllabics among Latin', 'ᑭedro'],
    ['a tick', 'marta ✔'],
    ['a shield', '🛡marta'],
    ['a root that looks like a tick', 'marta √'],
    ['too short behind its blanks', ' a\u200bb '],
    ['too long', 'x'.repeat(31)],
  ])('is refused with %s', (_what, typed) => {
    expect(publicName.safeParse(typed).success).toBe(false);
  });

  it.each(['José Ñandú', 'Иван', 'Ελένη', '山田太郎', 'محمد', 'x_y-z.9', 'O’Neill'])('stays as it is: %s', (typed) => {
    expect(publicName.parse(typed)).toBe(typed);
  });

  it.each([
    'admin',
    'ADMIN',
    'Admín',
    'adm1n',
    '4dm1n',
    'a d m i n',
    'ａｄｍｉｎ',
    'f.l.o.r.k.a',
    'Florka Team',
    'soporte_',
    'admin2',
    'mod 7',
    '$taff',
    'fl0rka 2026',
  ])('is reserved: %s', (typed) => expect(isReservedName(typed)).toBe(true));
  it.each(['marta', 'adminia', 'modesto', 'teamster', 'florkana', '2026'])('is free: %s', (typed) =>
    expect(isReservedName(typed)).toBe(false),
  );
});

describe('what the form of sign-up suggests [AUTH-22] [AMB-130]', () => {
  it.each([
    ['marta.ruiz@florka.test', 'user_marta.ruiz_k3x9'],
    ['marta+news@florka.test', 'user_marta_k3x9'],
    [`${'x'.repeat(60)}@florka.test`, `user_${'x'.repeat(20)}_k3x9`],
    ['admin@florka.test', ''],
    ['soporte+1@florka.test', ''],
    ['marta', ''],
    ['@florka.test', ''],
    ['иван@florka.test', ''],
  ])('%s: %s', (email, name) => expect(suggestedName(email, 'k3x9')).toBe(name));
});
