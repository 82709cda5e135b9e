import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/Button.tsx';
import { Dialog } from '#app/ui/Dialog.tsx';
import type { AnyForm } from './useAdminForm.ts';
import { when } from './when.ts';

interface ConflictProps {
  form: AnyForm;
  fieldNames: Record<string, string>;
}

/** Somebody saved the same record first: who, when, what, beside what is typed here; the person chooses. */
export function ConflictDialog({ form, fieldNames }: ConflictProps) {
  const words = useText(adminTexts).admin.conflict;
  const locale = useLocale();
  const { conflict } = form;
  if (!conflict) return null;
  const who = conflict.by ?? words.unknown;
  const time = conflict.at ? when(conflict.at, locale) : '';
  const said = (value: unknown) =>
    typeof value === 'boolean' ? (value ? words.yes : words.no) : value === null || value === '' ? '—' : String(value);
  // Forms hold figures as text.
  const differing = Object.keys(form.values).filter(
    (name) => name in conflict.current && String(conflict.current[name] ?? '') !== String(form.values[name] ?? ''),
  );
  return (
    <Dialog
      role="alertdialog"
      open
      onOpenChange={(next) => !next && form.closeConflict()}
      title={words.title}
      description={conflict.deleted ? words.deleted(who, time) : words.text(who, time)}
      className="dialog-wide"
      actions={
        conflict.deleted ? (
          <Button onClick={form.closeConflict}>{words.close}</Button>
        ) : (
          <>
            <Button onClick={form.takeTheirs}>{words.takeTheirs}</Button>
            <Button variant="primary" busy={form.busy} onClick={form.keepMine}>
              {words.keepMine}
            </Button>
          </>
        )
      }
    >
      {conflict.deleted || differing.length === 0 ? null : (
        <table className="bs-compare">
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              <th scope="col">{words.theirs}</th>
              <th scope="col">{words.mine}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((name) => (
              <tr key={name}>
                <th scope="row">{fieldNames[name] ?? name}</th>
                <td>{said(conflict.current[name])}</td>
                <td>{said(form.values[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
