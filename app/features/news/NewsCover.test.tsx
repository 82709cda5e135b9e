import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { AssetsBase } from '#app/ui/assets.ts';
import { NewsCover } from './NewsCover.tsx';

const OURS = '/media/0123456789abcdef0123456789abcdef.webp';
const FOREIGN = 'https://elsewhere.example/a.png';

/** Image sources of a page. */
function sources(base: string, src: string): (string | undefined)[] {
  const html = renderToStaticMarkup(
    <AssetsBase value={base}>
      <TokenImage id="a" symbol="A" src={src} alt="" />
      <NewsCover id="b" src={src} />
    </AssetsBase>,
  );
  return [...html.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, found]) => found);
}

describe('images', () => {
  it('that were uploaded are loaded from the origin for images, others from their own address', () => {
    expect(sources('https://cdn.example', OURS)).toEqual([`https://cdn.example${OURS}`, `https://cdn.example${OURS}`]);
    expect(sources('https://cdn.example', FOREIGN)).toEqual([FOREIGN, FOREIGN]);
  });

  it('that were uploaded are loaded from the site when there is no origin for images', () => {
    expect(sources('', OURS)).toEqual([OURS, OURS]);
  });
});
