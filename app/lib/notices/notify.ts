import { isLost } from '../api/lost-answer.ts';

export interface Notice {
  title: string;
  text?: string;
  /** Reverses the action that the notice reports. */
  undo?: { label: string; run: () => unknown };
  /** Set after a lost response, whose result is unknown: the text to show, or true for the general one. */
  unanswered?: string | true;
}
export type Kind = 'success' | 'error';
interface Waiting {
  kind: Kind;
  notice: Notice;
}

/** Duration of a notice. Milliseconds. */
const SHOWN_MS = 5_000;

let waiting: Waiting[] = [];
/** The notice of the unmounted area, and until when it is shown. */
let latest: { one: Waiting; until: number } | undefined;
let wake: ((newest: Waiting) => void) | undefined;
let mounted = false;

const show = ({ kind, notice }: Waiting): void =>
  void import('./show-notice.tsx').then(({ showNotice }) => showNotice(kind, notice));

/** For the toast area only: is called for the first notice, and reports when it can show notices. */
export const toastArea = {
  /** @param listener receives the newest pending notice. */
  onNeeded(listener: (newest: Waiting) => void): () => void {
    wake = listener;
    const newest = waiting.at(-1);
    if (newest) listener(newest);
    return () => {
      wake = undefined;
      if (mounted && latest && Date.now() < latest.until) waiting.push(latest.one);
      mounted = false;
    };
  },
  ready(): void {
    mounted = true;
    for (const one of waiting.splice(0)) show(one);
  },
  /** The user closed the pending notice: it is not shown again. */
  forget(): void {
    waiting = [];
  },
};

function send(kind: Kind, notice: Notice): void {
  const one = { kind, notice };
  latest = { one, until: Date.now() + SHOWN_MS };
  if (mounted) show(one);
  else {
    waiting.push(one);
    wake?.(one);
  }
}

/** Shows a notice; only the newest one is on screen, for five seconds. */
export const notify = {
  success: (notice: Notice) => send('success', notice),
  error: (notice: Notice) => send('error', notice),
  /**
   * Reports a failed change. After a lost response the change may have been made: the notice says so, and not that it failed.
   *
   * @param unanswered text after a lost response, where the general one does not fit.
   */
  failed: (error: unknown, notice: Notice, unanswered: string | true = true) =>
    send('error', isLost(error) ? { ...notice, unanswered } : notice),
};
