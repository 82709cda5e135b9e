import { notify } from '#app/lib/notify.ts';
import { Cancelled } from './failures.ts';

interface Notice {
  title: string;
  text?: string;
}

/**
 * What follows an act of one click, for `useMutation`: a notice of how it went, and what it changed is read again.
 *
 * @param refresh reads the lists again, also after a failure: somebody else may have been faster.
 */
export const tellAnd =
  (refresh: () => Promise<unknown>) =>
  <Answer>(done: Notice | ((answer: Answer) => Notice), failed: (error: unknown) => Notice) => ({
    onSuccess: (answer: Answer) => {
      notify.success(typeof done === 'function' ? done(answer) : done);
      return refresh();
    },
    onError: (error: unknown) => {
      // A closed question for a proof: nothing happened, and nothing is to be said.
      if (error instanceof Cancelled) return;
      notify.error(failed(error));
      void refresh();
    },
  });
