import { when } from '#app/lib/format.ts';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/Button.tsx';
import { Dialog } from '#app/ui/Dialog.tsx';
import type { AnyForm } from './useAdminForm.ts';

interface ConflictProps {
  form: AnyForm;
  fieldNames: Record<string, string>;
  /** Words for the values of fields with a choice: `{ status: { approved: 'Aprobada' } }`. */
  valueNames?: Record<string, Record<string, string>> | undefined;
}

/** Somebody saved the same record first: who, when, what, beside what is typed here; the person chooses. */
export function ConflictDialog({ form, fieldNames, valueNames = {} }: ConflictProps) {
  const words = useText(adminTexts).admin.conflict;
  const locale = useLocale();
  const { conflict } = form;
  if (!conflict) return null;
  const who = conflict.by ?? words.unknown;
  const time = conflict.at ? when(conflict.at, locale) : '';
  const said = (name: string, value: unknown) => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    return value === null || value === '' ? '—' : (valueNames[name]?.[String(value)] ?? String(value));
  };
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
                <td>{said(name, conflict.current[name])}</td>
                <td>{said(name, form.values[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
