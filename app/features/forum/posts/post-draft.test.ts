import { expect, it } from 'vitest';
import { postCategory, postTag } from '#contract/domains/forum.ts';
import { CATEGORIES, imagesOf, tagsOf } from './post-draft.ts';

it('the form of a post has the categories of the contract', () => {
  expect(CATEGORIES).toEqual(postCategory.options);
});

it('tags are parsed by the rules of the contract', () => {
  expect(tagsOf(' #Uno, dos  tres-4,, AÑO uno')).toEqual(['uno', 'dos', 'tres-4', 'año']);
  for (const typed of ['x', '-a', 'a_b', 'x'.repeat(25), 'a1 a2 a3 a4 a5 a6']) expect(tagsOf(typed)).toBeNull();
  for (const tag of tagsOf('uno, tres-4, año, 1a') ?? []) expect(postTag.parse(tag)).toBe(tag);
  for (const tag of ['x', '-a', 'a_b', 'x'.repeat(25)]) expect(postTag.safeParse(tag).success).toBe(false);
});

it('a stored draft whose images can’t be parsed has no images', () => {
  for (const stored of ['', '{', '{}', '[1, null, {"url": 1}]']) expect(imagesOf(stored)).toEqual([]);
  expect(imagesOf('[{"url":"/media/a.webp","alt":""}]')).toEqual([{ url: '/media/a.webp', alt: '' }]);
});
