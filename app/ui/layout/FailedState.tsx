import type { ReactNode } from 'react';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { EmptyState, type EmptyStateProps } from './EmptyState.tsx';

export interface FailedStateProps extends Pick<EmptyStateProps, 'text' | 'level'> {
  title: ReactNode;
  retryLabel: ReactNode;
  onRetry: () => void;
  /** A further attempt is under way. */
  busy?: boolean | undefined;
}

/** What could not be read, with a button that reads it again. Announced when it appears. */
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
