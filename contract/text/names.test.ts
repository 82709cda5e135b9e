import { describe, expect, it } from 'vitest';
import { publicName } from '../fields/schemas.ts';
import { cleanName, isReservedName, suggestedName } from './names.ts';

describe('a public name', () => {
  it.each([
    ['a zero-width space', 'ma\u200brta', 'marta'],
    ['a joiner', 'ma\u200drta', 'marta'],
    ['a right-to-left override', '\u202eatram', 'atram'],
    ['a soft hyphen and a direction mark', 'mar\u00ad\u200eta', 'marta'],
    ['full-width letters', 'ｍａｒｔａ', 'marta'],
    ['mathematical letters', '𝓶𝓪𝓻𝓽𝓪', 'marta'],
    ['whitespace of every kind', '  la\u00a0\u3000\u2003marta ', 'la marta'],
    ['a Hangul filler', 'mar\u3164ta', 'marta'],
    ['the Braille blank', 'mar\u2800ta', 'marta'],
    ['more than two accents on one letter', 'ma\u0335\u0336\u0337\u0338rta', 'ma\u0335\u0336rta'],
    ['a line break', 'la\nmarta', 'la marta'],
  ])('is normalized: %s', (_what, typed, kept) => {
    expect(publicName.parse(typed)).toBe(kept);
    expect(cleanName(cleanName(typed))).toBe(cleanName(typed));
  });

  it.each([
    ['only invisible characters', '\u200b\u200b\u200b\u200b'],
    ['only fillers', '\u3164\u3164\u3164'],
    ['only punctuation', '---'],
    ['Cyrillic among Latin', 'аdministrator'],
    ['Greek among Latin', 'ρedro'],
    ['Lisu among Latin', 'ꓮdministrator'],
    ['Coptic among Latin', 'pedrⲟ'],
    ['Canadian syllabics among Latin', 'ᑭedro'],
    ['a check mark', 'marta ✔'],
    ['a shield', '🛡marta'],
    ['a square root sign, which looks like a check mark', 'marta √'],
    ['too few characters after trimming', ' a\u200bb '],
    ['too many characters', 'x'.repeat(31)],
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

describe('the name that the sign-up form suggests [AUTH-22] [AMB-130]', () => {
  it.each([
    ['marta.ruiz@florka.test', 'user_marta.ruiz_k3x9'],
    ['marta+news@florka.test', 'user_marta_k3x9'],
    [`${'x'.repeat(60)}@florka.test`, `user_${'x'.repeat(20)}_k3x9`],
    ['admin@florka.test', ''],
    ['soporte+1@florka.test', ''],
    ['marta', ''],
    ['@florka.test', ''],
    ['иван@florka.test', ''],
  ])('for %s is “%s”', (email, name) => expect(suggestedName(email, 'k3x9')).toBe(name));
});
