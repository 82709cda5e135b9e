import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { type Screen, useAdminFailure } from './failures.ts';

interface UnreadProps {
  /** What could not be read, in words; the reason follows. */
  what: string;
  /** The query that failed. */
  of: { error: unknown; refetch: () => unknown };
  /** Whose words a lost session gets. */
  screen?: Screen | undefined;
  className?: string;
  /** Above the words: an image. */
  children?: ReactNode;
}

/** Says that something could not be read, and why, and reads it again when asked to. */
export function Unread({ what, of, screen, className = 'admin-note', children }: UnreadProps) {
  const { retry } = useText(adminTexts).admin.list;
  const failure = useAdminFailure(screen);
  return (
    <div role="alert" className={className}>
      {children}
      <p className="font-semibold">
        {what}: {failure(of.error)}
      </p>
      <Button size="sm" onClick={() => void of.refetch()}>
        {retry}
      </Button>
    </div>
  );
}
