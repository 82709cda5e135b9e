import { describe, expect, it } from 'vitest';
import { languageOf } from './text-language.ts';

describe('the language of a user’s text [WCAG 3.1.2]', () => {
  it.each([
    'Sátira diaria del mercado en teatrino de cartón. Nadie se salva, ni el dev.',
    'Tren Fantasma salió de la estación sin sobresaltos (técnicos)',
    '¿Y la cuarta?',
    'Guía rápida para leer la página de un candidato',
  ])('is Spanish: %s', (text) => expect(languageOf(text)).toBe('es'));

  it.each([
    'Unpopular opinion: two launches a month is exactly right and the best of all',
    'Meet the makers: the kite workshop behind Papalote',
    'PSA: read the permission, not the button',
  ])('is English: %s', (text) => expect(languageOf(text)).toBe('en'));

  it.each(['', 'Títere Real', 'GM', '$AJO 🚀', 'Rueda de Fuego', 'No', 'la moon', 'https://florka.test/the'])(
    'is unknown with too few words: %s',
    (text) => expect(languageOf(text)).toBeUndefined(),
  );

  it('is unknown for a text in both languages', () => {
    expect(languageOf('This should be pinned. Lo traduzco al español')).toBeUndefined();
  });
});
