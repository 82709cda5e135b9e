import type { ReactNode } from 'react';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { EmptyState, type EmptyStateProps } from './EmptyState.tsx';

export interface FailedStateProps extends Pick<EmptyStateProps, 'text' | 'level'> {
  title: ReactNode;
  retryLabel: ReactNode;
  onRetry: () => void;
  /** A retry is in progress. */
  busy?: boolean | undefined;
}

/** What could not be loaded, with a button to retry. Announced when it appears. */
export function FailedState({ title, text, level, retryLabel, onRetry, busy }: FailedStateProps) {
  return (
    <EmptyState
      level={level}
      role="alert"
      scene={<SceneClosedGate />}
      title={title}
      text={text}
      action={
        <Button busy={busy} onClick={onRetry}>
          {retryLabel}
        </Button>
      }
    />
  );
}
