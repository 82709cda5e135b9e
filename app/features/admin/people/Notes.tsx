import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Textarea } from '#app/ui/controls/Field.tsx';
import type { PersonView } from '#contract/admin/people.ts';
import { STAFF_NOTE_MAX } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { InlineForm } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { PersonSection } from './PersonSection.tsx';
import { useOlder } from './useOlder.tsx';

/** The team's notes about a person. */
export function Notes({ id, notes, after }: { id: string; notes: PersonView['notes']; after: string | null }) {
  const messages = useText(adminPersonTexts).person.notes;
  const { rows, list, more } = useOlder('notes', messages.title, notes, { id, after });
  const failure = useAdminFailure('users');
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.admin.people.key() });
  const form = useAdminForm({
    initial: { text: '' },
    check: ({ text }) => ({ text: text.trim() === '' && messages.needed }),
    failed: messages.failed,
    screen: 'users',
    stored: { form: 'note', record: { id } },
    submit: async ({ text }) => {
      await client.admin.people.addNote({ id, text });
      form.reset({ text: '' });
      notify.success({ title: messages.added });
      await refresh();
    },
  });
  const [requested, setRequested] = useState<PersonView['notes'][number] | null>(null);
  const remove = useMutation({
    mutationFn: (note: string) => client.admin.people.removeNote({ id: note }),
    onSuccess: () => notify.success({ title: messages.removed }),
    onError: (error) => notify.failed(error, { title: messages.removeFailed, text: failure(error) }),
    onSettled: refresh,
  });
  return (
    <PersonSection title={messages.title} hint={messages.hint}>
      <InlineForm form={form} label={messages.title} fieldNames={{ text: messages.label }}>
        <Field label={messages.label} error={form.errors.text}>
          <Textarea {...form.text('text')} rows={2} maxLength={STAFF_NOTE_MAX} />
        </Field>
        <Button type="submit" size="sm" className="mt-2" busy={form.busy} busyLabel={messages.adding}>
          {messages.add}
        </Button>
      </InlineForm>
      {rows.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul ref={list} className="grid gap-2">
        {rows.map((note) => (
          <li key={note.id} className="admin-sub grid gap-1">
            <p className="wrap-anywhere whitespace-pre-line">{note.text}</p>
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-quiet">
              <When iso={note.at} /> {messages.by(note.by ?? messages.someone)}
              <Button
                size="sm"
                variant="ghost"
                className="ml-auto"
                aria-label={messages.removeOf(note.text.slice(0, 40))}
                onClick={() => setRequested(note)}
              >
                {messages.remove}
              </Button>
            </p>
          </li>
        ))}
      </ul>
      {more}
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.removeTitle}
        question={requested ? <span className="line-clamp-4">{requested.text}</span> : undefined}
        text={messages.removeText}
        confirmLabel={messages.remove}
        busyLabel={messages.removing}
        onConfirm={() => (requested ? remove.mutateAsync(requested.id) : Promise.resolve())}
      />
    </PersonSection>
  );
}
