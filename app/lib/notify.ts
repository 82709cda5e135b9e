export interface Notice {
  title: string;
  text?: string;
}
export type Kind = 'success' | 'error';

const waiting: (() => void)[] = [];
let wake: (() => void) | undefined;
let mounted = false;

/** For the toast area only: how a first notice makes it appear, and when it can show things. */
export const toastArea = {
  onNeeded(listener: () => void): () => void {
    wake = listener;
    if (waiting.length > 0) listener();
    return () => {
      wake = undefined;
      mounted = false;
    };
  },
  ready(): void {
    mounted = true;
    for (const show of waiting.splice(0)) show();
  },
};

function send(kind: Kind, notice: Notice): void {
  const show = () => void import('./show-notice.ts').then(({ showNotice }) => showNotice(kind, notice));
  if (mounted) show();
  else {
    waiting.push(show);
    wake?.();
  }
}

/** Shows a notice; only the newest one is on screen, for five seconds. */
export const notify = {
  success: (notice: Notice) => send('success', notice),
  error: (notice: Notice) => send('error', notice),
};
