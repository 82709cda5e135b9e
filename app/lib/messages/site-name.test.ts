import { expect, it } from 'vitest';
import { withSiteName } from '#contract/site.ts';
import { en } from './en.ts';
import { es } from './es.ts';

it('renames what the catalogue says, and never what people wrote', () => {
  const texts = withSiteName(
    {
      title: 'Foro · Florka',
      of: (name: string, { by }: { by: string }) => `${name} (${by}) · Florka`,
      all: ['Florka'],
    },
    'El $& de Ana',
  );
  expect(texts.title).toBe('Foro · El $& de Ana');
  expect(texts.of('Florka Fans', { by: 'Florka' })).toBe('Florka Fans (Florka) · El $& de Ana');
  expect(texts.all).toEqual(['El $& de Ana']);
});

it('leaves a catalogue as it is under the default name, and no word of that under another one', () => {
  for (const words of [es, en]) {
    expect(withSiteName(words, 'Florka')).toBe(words);
    expect(JSON.stringify(withSiteName(words, 'Tómbola'))).not.toContain('Florka');
  }
});
