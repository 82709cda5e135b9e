import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Resemblances, resemblancesOf } from '#app/lib/forms/Resemblances.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { resemblanceTexts } from '#app/lib/messages/resemblance.ts';
import { Checkbox } from '#app/ui/controls/Field.tsx';
import type { Resemblance } from '#contract/resemblance.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { Cancelled } from '../failures.ts';

interface PendingConfirmation {
  found: Resemblance[];
  resolve: () => void;
  reject: () => void;
}

/**
 * For saving tokens: when the server reports resemblances to others, shows which and in what, and saves again once the editor
 * confirms to have looked.
 * @returns `save`, which rejects with Cancelled when the question is closed, and with the refusal itself when the screen was left
 * meanwhile, as by the undo of a notice, where nothing could be asked; `question` is rendered next to the form.
 */
export function useResemblance(): {
  save: <T>(work: (resemblanceAccepted: boolean) => Promise<T>) => Promise<T>;
  question: ReactNode;
} {
  const [confirming, setConfirming] = useState<PendingConfirmation | null>(null);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return {
    async save(work) {
      try {
        return await work(false);
      } catch (error) {
        const found = resemblancesOf(error);
        if (!found || !shown.current) throw error;
        await new Promise<void>((resolve, reject) =>
          setConfirming({ found, resolve, reject: () => reject(new Cancelled()) }),
        ).finally(() => setConfirming(null));
        return work(true);
      }
    },
    question: confirming ? <Question confirming={confirming} /> : null,
  };
}

function Question({ confirming }: { confirming: PendingConfirmation }) {
  const messages = useText(resemblanceTexts).resemblance.team;
  const [looked, setLooked] = useState(false);
  return (
    <ConfirmDialog
      open
      harmless
      onClose={confirming.reject}
      title={messages.title}
      text={messages.text}
      confirmLabel={messages.submit}
      busyLabel={messages.busy}
      blocked={!looked}
      onConfirm={async () => confirming.resolve()}
    >
      <Resemblances found={confirming.found} />
      <Checkbox
        name="looked"
        checked={looked}
        onChange={(event) => setLooked(event.target.checked)}
        label={messages.looked}
      />
    </ConfirmDialog>
  );
}
