import { useEffect, useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import type { FormKind } from '#contract/admin/editorial.ts';

/** Heartbeat interval of an open form: colleagues appear and disappear within this time. Milliseconds. */
const HEARTBEAT_MS = 5_000;

type Others = Awaited<ReturnType<typeof client.admin.editorial.editing>>['others'];

interface Props {
  kind: FormKind;
  id: string;
  /** False while the form has no input, where it is always on the screen: then it only shows who else is editing. */
  open?: boolean;
}

/** Shows who else has the form of this record open; concurrent saves are resolved by its version. */
export function OthersEditing({ kind, id, open = true }: Props) {
  const messages = useText(adminEditorialTexts).editorial.editing;
  const [others, setOthers] = useState<Others>([]);
  useEffect(() => {
    let gone = false;
    // A beacon, so that it is sent even while the page is being closed.
    const leave = () => {
      const body = JSON.stringify({ json: { kind, id, open: false } });
      navigator.sendBeacon('/rpc/admin/editorial/editing', new Blob([body], { type: 'application/json' }));
    };
    const beat = () =>
      client.admin.editorial.editing({ kind, id, open }).then(
        (answer) => {
          if (!gone) setOthers(answer.others);
        },
        // It is only a hint: if it fails, the conflict still shows when somebody saves.
        () => {},
      );
    void beat();
    const timer = setInterval(() => void beat(), HEARTBEAT_MS);
    if (open) addEventListener('pagehide', leave);
    return () => {
      gone = true;
      clearInterval(timer);
      removeEventListener('pagehide', leave);
      if (open) void client.admin.editorial.editing({ kind, id, open: false }).catch(() => {});
    };
  }, [kind, id, open]);
  return (
    <div role="status">
      {others.map(({ name, since }) => (
        <p key={name} className="admin-callout text-sm" data-tone="lead">
          <strong dir="auto">{name}</strong> {messages.since} <When iso={since} />. {messages.hint}
        </p>
      ))}
    </div>
  );
}
