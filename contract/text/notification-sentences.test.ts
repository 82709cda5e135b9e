import { expect, it } from 'vitest';
import { sentenceInEnglish, sentenceInSpanish } from './notification-sentences.ts';

it.each([
  ['Hola', 'Eva te menciona en un comentario de «Hola»', 'Eva mentions you in a comment on “Hola”'],
  // Its author is blocked by the reader: there is a page, with a title that is not shown.
  ['', 'Eva te menciona en un comentario de una nota', 'Eva mentions you in a comment on a note'],
  [
    null,
    'Eva te menciona en un comentario de una nota que ya no está',
    'Eva mentions you in a comment on a note that is not here any more',
  ],
])('a mention in a comment on a post with the title %j has the title if it is visible', (title, spanish, english) => {
  const event = { kind: 'mentions', detail: 'comment', actor: 'Eva', title, count: 1 };
  expect(sentenceInSpanish(event)).toBe(spanish);
  expect(sentenceInEnglish(event)).toBe(english);
});

it.each([
  ['Hola', 'Eva ha comentado tu nota «Hola»', 'Eva commented on your note “Hola”'],
  [null, 'Eva ha comentado una nota tuya que ya no está', 'Eva commented on a note of yours that is not here any more'],
])("a comment on the reader's own note with the title %j is one sentence", (title, spanish, english) => {
  const event = { kind: 'replies', detail: 'comment', actor: 'Eva', title, count: 1 };
  expect(sentenceInSpanish(event)).toBe(spanish);
  expect(sentenceInEnglish(event)).toBe(english);
});
