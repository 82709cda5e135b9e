import { expect, it } from 'vitest';
import type { MediaUse } from '#contract/admin/media.ts';
import { renderAdmin } from '#tests/support/app/render-admin.tsx';
import { Uses } from './ImageCard.tsx';

const use = (place: MediaUse['place'], over: Partial<MediaUse> = {}): MediaUse => ({
  place,
  record: '5f6a1c2d-0000-4000-8000-000000000000',
  title: null,
  inTrash: false,
  version: null,
  ...over,
});
const shown = (one: MediaUse) => renderAdmin(<Uses uses={[one]} />, ['editor']);

it('a use of an image links to its record, not to the list of all records', () => {
  const { record } = use('submission');
  expect(shown(use('submission'))).toContain(`href="/admin/submissions?open=${record}"`);
  expect(shown(use('submission', { title: 'Luna' }))).toContain('Luna');
  expect(shown(use('request'))).toContain(`href="/admin/token-creation?request=${record}"`);
  expect(shown(use('news', { title: 'Día 1' }))).toContain('href="/admin/news?q=D%C3%ADa%201"');
});

it('a use of an image on a page or in the settings has a readable name', () => {
  const page = shown(use('page', { record: 'how-voting-works' }));
  expect(page).toContain('How voting works');
  expect(page).not.toContain('how-voti<');
  expect(shown(use('setting', { record: 'siteMark' }))).toContain('mark of the site');
});
