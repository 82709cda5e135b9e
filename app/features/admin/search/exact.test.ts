import { expect, it } from 'vitest';
import { exactHit, firstOf } from './exact.ts';

const TASK = { name: 'Mail about what is overdue' };
const POSTS = [{ title: 'Resumen semanal del foro' }, { title: 'Resumen semanal' }];

it('a record with exactly the typed title comes before tasks that match its words', () => {
  for (const typed of ['resumen semanal', ' RESUMEN SEMANÁL '])
    expect(firstOf(typed, [TASK], POSTS), typed).toEqual({ title: 'Resumen semanal' });
  expect(firstOf('resumen', [TASK], POSTS)).toEqual(TASK);
  expect(firstOf('resumen', [], POSTS)).toEqual(POSTS[0]);
  expect(firstOf('', [], [])).toBeUndefined();
});

it('the exact name of a screen, task or setting comes before a record with that title', () => {
  const found = [{ title: 'Forum' }];
  expect(firstOf('forum', [TASK, { name: 'Forum' }], found)).toEqual({ name: 'Forum' });
  expect(exactHit('forum', [TASK, { name: 'Forum' }], found)).toBeUndefined();
});
