import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Tag } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { serverClock, useNow } from '#app/lib/live/clock.ts';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Input, Select } from '#app/ui/controls/Field.tsx';
import type { Me } from '#contract/domains/auth.ts';
import type { Post } from '#contract/domains/forum.ts';
import { EDIT_MINUTES, POST_TAGS_MAX } from '#contract/limits.ts';
import { closedAction, forumFailure, isClosedAction, patchPost, refetchSessionIfRefused } from '../forum.queries.ts';
import { CATEGORIES, isCategory, tagsOf } from './post-draft.ts';

interface RelabelProps {
  post: Pick<Post, 'id' | 'title' | 'category' | 'tags' | 'createdAt'>;
  /** Staff changes them at any time, authors within the time for edits. */
  moderates: boolean;
  /** What a moderator's account still lacks; null for authors. */
  missing: Me['staffMissing'];
}

/** Edits category and tags of a published post; hidden when the time for edits is over, by the server's clock. */
export default function RelabelButton({ post, moderates, missing }: RelabelProps) {
  const text = useText(discussionTexts).discussion;
  const [open, setOpen] = useState(false);
  const now = useNow(new Date(serverClock.now()).toISOString());
  if (!moderates && now - Date.parse(post.createdAt) >= EDIT_MINUTES * 60_000) return null;
  return (
    <>
      <IconButton size="sm" label={text.relabel(post.title)} onClick={() => setOpen(true)}>
        <Tag aria-hidden="true" />
      </IconButton>
      {open ? <RelabelDialog post={post} missing={missing} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function RelabelDialog({ post, missing, onClose }: Pick<RelabelProps, 'post' | 'missing'> & { onClose: () => void }) {
  const text = useText(discussionTexts, forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const href = useHref();
  const form = useId();
  const [category, setCategory] = useState(post.category);
  const [typed, setTyped] = useState(post.tags.join(', '));
  const tags = tagsOf(typed);
  const save = useMutation(
    rpc.forum.relabel.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: (saved) => {
        patchPost(queries, post.id, (old) => ({ ...old, category: saved.category, tags: saved.tags }));
        notify.success(text.forum.toast.edited);
        onClose();
      },
      onError: (error) => {
        if (!isClosedAction(error))
          notify.failed(error, { title: text.forum.toast.editFailed, text: forumFailure(error, text) });
        refetchSessionIfRefused(queries, error);
      },
    }),
  );
  const closed = closedAction(save.error, text, missing);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (tags && !save.isPending) save.mutate({ id: post.id, category, tags });
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      hasInput={!closed && (category !== post.category || typed !== post.tags.join(', '))}
      title={closed?.title ?? text.discussion.relabelTitle}
      description={<span role="status">{closed?.text ?? text.discussion.relabelText}</span>}
      actions={
        <>
          <Button onClick={onClose}>{text.forum.cancel}</Button>
          {closed ? (
            <ButtonLink to={href(closed.to)} variant="primary">
              {closed.link}
            </ButtonLink>
          ) : (
            <Button type="submit" form={form} variant="primary" busy={save.isPending} busyLabel={text.forum.saving}>
              {text.forum.save}
            </Button>
          )}
        </>
      }
    >
      {closed ? null : (
        <form id={form} className="grid gap-4" onSubmit={submit}>
          <Field label={text.discussion.category}>
            <Select value={category} onChange={({ target }) => isCategory(target.value) && setCategory(target.value)}>
              {CATEGORIES.map((key) => (
                <option key={key} value={key}>
                  {text.discussion.categories[key]}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label={text.discussion.tags}
            hint={text.discussion.tagsHint(POST_TAGS_MAX)}
            {...(tags ? {} : { error: text.discussion.tagsWrong(POST_TAGS_MAX) })}
          >
            <Input
              dir="auto"
              value={typed}
              maxLength={160}
              autoCapitalize="none"
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
        </form>
      )}
    </Dialog>
  );
}
