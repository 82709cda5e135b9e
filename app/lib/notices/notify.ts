export interface Notice {
  title: string;
  text?: string;
  /** Takes back what the notice tells. */
  undo?: { label: string; run: () => unknown };
}
export type Kind = 'success' | 'error';
interface Waiting {
  kind: Kind;
  notice: Notice;
}

/** How long a notice is on screen. Milliseconds. */
const SHOWN_MS = 5_000;

let waiting: Waiting[] = [];
/** What the area that was left had on screen, and until when. */
let latest: { one: Waiting; until: number } | undefined;
let wake: ((newest: Waiting) => void) | undefined;
let mounted = false;

const show = ({ kind, notice }: Waiting): void =>
  void import('./show-notice.tsx').then(({ showNotice }) => showNotice(kind, notice));

/** For the toast area only: how a first notice makes it appear, and when it can show things. */
export const toastArea = {
  /** @param listener gets the newest notice that waits for the area. */
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
  /** Somebody read and closed what waited: it does not come a second time. */
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
};
