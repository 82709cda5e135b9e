import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { type Screen, useAdminFailure } from './failures.ts';

interface LoadErrorProps {
  /** Text that names what could not be loaded; the reason follows. */
  what: string;
  /** The query that failed. */
  of: { error: unknown; refetch: () => unknown };
  /** The screen whose message is used for a lost session. */
  screen?: Screen | undefined;
  className?: string | undefined;
  /** Where another attempt cannot succeed: the reason, and what is shown instead of the button to retry. */
  instead?: { reason: string; action: ReactNode } | undefined;
  /** An image above the text. */
  children?: ReactNode;
}

/** Shows that data could not be loaded, with the reason and a button to retry. */
export function LoadError({ what, of, screen, className = 'admin-note', instead, children }: LoadErrorProps) {
  const { retry } = useText(adminTexts).admin.list;
  const failure = useAdminFailure(screen);
  return (
    <div role="alert" className={className}>
      {children}
      <p className="font-semibold">
        {what}: {instead?.reason ?? failure(of.error)}
      </p>
      {instead?.action ?? (
        <Button size="sm" onClick={() => void of.refetch()}>
          {retry}
        </Button>
      )}
    </div>
  );
}
