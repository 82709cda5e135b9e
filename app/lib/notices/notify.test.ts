import { expect, it } from 'vitest';
import { es } from '../messages/es.ts';
import { textOf } from './notice-text.ts';
import { type Notice, notify, toastArea } from './notify.ts';

/** Title and text of the newest notice on the screen. */
function shown(): ReturnType<typeof textOf> | undefined {
  let newest: Notice | undefined;
  toastArea.onNeeded(({ notice }) => {
    newest = notice;
  })();
  return newest && textOf(newest, es.toast.unanswered);
}

it('a notice reports a refusal as a failure, and a lost answer as unanswered', () => {
  const notice = { title: 'No se pudo guardar', text: 'Algo ha fallado.' };
  notify.failed({ code: 'NOT_FOUND', status: 404 }, notice);
  expect(shown()).toEqual(notice);
  notify.failed(new TypeError('Failed to fetch'), notice);
  expect(shown()).toEqual(es.toast.unanswered);
  notify.failed(new TypeError('Failed to fetch'), notice, 'Mira tu buzón.');
  expect(shown()).toEqual({ title: es.toast.unanswered.title, text: 'Mira tu buzón.' });
});
