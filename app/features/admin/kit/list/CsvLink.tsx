import { type MouseEvent, type ReactNode, useState } from 'react';
import { ApiFailure } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Cancelled, useAdminFailure } from '../failures.ts';
import { useStepUp } from '../StepUp.tsx';

interface CsvLinkProps {
  /** Address of the file. */
  href: string;
  className: string;
  /** Accessible name, when the content has no text. */
  label?: string;
  title?: string;
  children: ReactNode;
}

/**
 * A link that downloads a list as CSV. When the server requires step-up, because the list has personal addresses, it asks for the
 * second factor first.
 */
export function CsvLink({ href, className, label, title, children }: CsvLinkProps) {
  const messages = useText(adminTexts).admin.list;
  const failure = useAdminFailure();
  const withProof = useStepUp();
  const [busy, setBusy] = useState(false);
  const save = async (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const { blob, name } = await withProof(() => fetchFile(href));
      saveAs(blob, name);
    } catch (error) {
      if (!(error instanceof Cancelled)) notify.error({ title: messages.exportFailed, text: failure(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <a href={href} download className={className} aria-label={label} title={title} aria-busy={busy} onClick={save}>
      {children}
    </a>
  );
}

async function fetchFile(href: string): Promise<{ blob: Blob; name: string }> {
  const answer = await fetch(href);
  if (!answer.ok) {
    const { code, data } = (await answer.json().catch(() => ({}))) as { code?: string; data?: unknown };
    throw new ApiFailure(code ?? 'INTERNAL_SERVER_ERROR', answer.status, data);
  }
  const [, name] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
  return { blob: await answer.blob(), name: name ?? 'list.csv' };
}

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
