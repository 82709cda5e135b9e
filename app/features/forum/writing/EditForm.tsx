import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { POST_CONTENT_MAX, POST_TITLE_MAX } from '#contract/limits.ts';

interface EditFormProps {
  /** Undefined for a comment. */
  title?: string;
  content: string;
  busy: boolean;
  error: string | undefined;
  onCancel: () => void;
  onSave: (written: { title?: string; content: string }) => void;
}

/** Edits a text in its place. */
export function EditForm({ title: oldTitle, content: oldContent, busy, error, onCancel, onSave }: EditFormProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const form = useRef<HTMLFormElement>(null);
  const [title, setTitle] = useState(oldTitle);
  const [content, setContent] = useState(oldContent);
  const changed = title !== oldTitle || content !== oldContent;
  const blank = !content.trim() || title?.trim() === '';
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const here = form.current;
    here?.querySelector<HTMLElement>('input, textarea')?.focus();
    return () => {
      if (here?.contains(document.activeElement)) opener?.focus({ preventScroll: true });
    };
  }, []);
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
        // One key discards no changed text. An input method has its own use for it.
        if (event.key === 'Escape' && !busy && !changed && !event.nativeEvent.isComposing) onCancel();
      }}
    >
      {title === undefined ? null : (
        <Field label={text.forum.postTitle}>
          <Input
            dir="auto"
            value={title}
            maxLength={POST_TITLE_MAX}
            onChange={(event) => setTitle(event.target.value)}
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
          onChange={(event) => setContent(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="soft" disabled={blank} busy={busy} busyLabel={text.forum.saving}>
          {text.forum.save}
        </Button>
        <Button size="sm" onClick={onCancel}>
          {text.forum.cancel}
        </Button>
      </div>
    </form>
  );
}
