import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** A colour of the palette in the light and dark theme. */
function colour(name: string): { day: string; night: string } {
  const value = new RegExp(`--color-${name}: (.*);`).exec(css)?.[1] ?? '';
  const [day, night] = value.match(/#[0-9a-f]{6}/gi) ?? [];
  if (!day) throw new Error(`no colour ${name}`);
  return { day, night: night ?? day };
}

/** Relative luminance as WCAG defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['ink', 'panel', 'raised', 'lead-soft', 'mint-soft', 'coral-soft', 'sky-soft'];

describe.each(['day', 'night'] as const)('colours by %s', (light) => {
  it.each(['text', 'quiet', 'lead-text', 'coral-text', 'mint-text', 'sky-text'])(
    '%s has a contrast of 7:1 on every background',
    (text) => {
      for (const ground of GROUNDS)
        expect(contrast(colour(text)[light], colour(ground)[light]), `on ${ground}`).toBeGreaterThanOrEqual(7);
    },
  );

  it('the edges and focus rings of controls have a contrast of 3:1 on every background', () => {
    for (const mark of ['edge', 'focus', 'lead-text'])
      for (const ground of ['ink', 'panel', 'raised'])
        expect(contrast(colour(mark)[light], colour(ground)[light]), `${mark} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
});
