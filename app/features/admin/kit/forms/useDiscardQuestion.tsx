import { type ReactNode, useCallback, useRef, useState } from 'react';
import { DiscardDialog } from './DiscardDialog.tsx';

interface DiscardQuestion {
  /** Closes at once, or after a question when there is unsaved input. */
  close: () => void;
  /** To be called when the input of the dialog becomes unsaved, or no longer is. */
  setDirty: (dirty: boolean) => void;
  /** To be rendered within the dialog. */
  question: ReactNode;
}

/** Asks before a dialog with unsaved input is closed by Escape, its cross or its button. @param onClose closes the dialog. */
export function useDiscardQuestion(onClose: () => void): DiscardQuestion {
  const dirty = useRef(false);
  const [confirming, setConfirming] = useState(false);
  const setDirty = useCallback((now: boolean) => {
    dirty.current = now;
  }, []);
  return {
    close: () => (dirty.current ? setConfirming(true) : onClose()),
    setDirty,
    question: (
      <DiscardDialog
        open={confirming}
        onStay={() => setConfirming(false)}
        onDiscard={() => {
          setConfirming(false);
          dirty.current = false;
          onClose();
        }}
      />
    ),
  };
}
