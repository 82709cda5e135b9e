import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Copyable } from './Copyable.tsx';

const shown = (head: number, tail: number): string | undefined =>
  renderToStaticMarkup(<Copyable value="0123456789" label="Copy" copiedLabel="Copied" head={head} tail={tail} />).match(
    /aria-hidden="true">([^<]*)<\/span>/,
  )?.[1];

it('a long value is shortened in the middle, or at its end where no characters of the end are shown', () => {
  expect(shown(3, 2)).toBe('012…89');
  expect(shown(3, 0)).toBe('012…');
  expect(shown(6, 4)).toBe('0123456789');
});
