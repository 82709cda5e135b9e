import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { POST_CONTENT_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { removeDraft, useDraft } from './useDraft.ts';

interface EditFormProps {
  /** Id of the post or comment. */
  id: string;
  /** Undefined for a comment. */
  title?: string;
  content: string;
  busy: boolean;
  error: string | undefined;
  onCancel: () => void;
  onSave: (written: { title?: string; content: string }) => void;
}

/** Where the changes of a text are stored until they are saved or cancelled. No member's id: only the author can edit a text. */
export const editDraftOf = (id: string): string => `florka.draft.edit.${id}`;

/** Edits a text in its place. Unsaved changes survive a reload, unless the text was changed since. */
export function EditForm({ id, title: oldTitle, content: oldContent, busy, error, onCancel, onSave }: EditFormProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const form = useRef<HTMLFormElement>(null);
  // The text when the form was opened: a change by another device does not replace what is typed.
  const [unchanged] = useState(() => ({
    title: oldTitle ?? '',
    content: oldContent,
    of: JSON.stringify([oldTitle ?? '', oldContent]),
  }));
  const [stored, store] = useDraft(editDraftOf(id), unchanged);
  const draft = stored.of === unchanged.of ? stored : unchanged;
  const title = oldTitle === undefined ? undefined : draft.title;
  const { content } = draft;
  const changed = draft.title !== unchanged.title || content !== unchanged.content;
  const blank = !content.trim() || title?.trim() === '';
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const here = form.current;
    here?.querySelector<HTMLElement>('input, textarea')?.focus();
    return () => {
      if (here?.contains(document.activeElement)) opener?.focus({ preventScroll: true });
    };
  }, []);
  function cancel() {
    removeDraft(editDraftOf(id));
    onCancel();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!blank && !busy) onSave({ ...(title === undefined ? {} : { title }), content });
  }
  return (
    <form
      ref={form}
      className="grid gap-3"
      onSubmit={submit}
      onKeyDown={(event) => {
        // Escape does not discard a changed text; an input method uses it for itself.
        if (event.key === 'Escape' && !busy && !changed && !event.nativeEvent.isComposing) cancel();
      }}
    >
      {title === undefined ? null : (
        <Field label={text.forum.postTitle}>
          <Input
            dir="auto"
            value={title}
            maxLength={POST_TITLE_MAX}
            onChange={(event) => store({ ...draft, title: event.target.value })}
          />
        </Field>
      )}
      <Field
        label={text.forum.content}
        hint={text.forum.counter(content.length, POST_CONTENT_MAX)}
        {...(error ? { error } : {})}
      >
        <Textarea
          dir="auto"
          rows={4}
          value={content}
          maxLength={POST_CONTENT_MAX}
          onChange={(event) => store({ ...draft, content: event.target.value })}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="soft" disabled={blank} busy={busy} busyLabel={text.forum.saving}>
          {text.forum.save}
        </Button>
        <Button size="sm" onClick={cancel}>
          {text.forum.cancel}
        </Button>
      </div>
    </form>
  );
}
