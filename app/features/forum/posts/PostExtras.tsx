import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useId } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { Field, Input, Select } from '#app/ui/controls/Field.tsx';
import { IMAGE_ALT_MAX, POST_IMAGES_MAX, POST_TAGS_MAX } from '#contract/limits.ts';
import { CATEGORIES } from './post-draft.ts';

/** The image picker; the page passes it, since features must not import each other. */
export type ImageField = ComponentType<{
  label: string;
  value: string | null;
  onChange: (url: string | null) => void;
}>;

interface PostExtrasProps {
  imageField: ImageField;
  category: string;
  tags: string;
  images: { url: string; alt: string }[];
  /** The tags are invalid. */
  tagsWrong: boolean;
  onChange: (change: { category?: string; tags?: string }) => void;
  /** Updates the images with a function: an upload may end after other changes. */
  onImages: (change: (now: { url: string; alt: string }[]) => { url: string; alt: string }[]) => void;
}

/** Optional parts of a post besides its text. */
export default function PostExtras({
  imageField: ImageUpload,
  category,
  tags,
  images,
  tagsWrong,
  onChange,
  onImages,
}: PostExtrasProps) {
  const text = useText(discussionTexts).discussion;
  const list = useId();
  const { data } = useQuery({ ...rpc.forum.tags.queryOptions({}), staleTime: 300_000 });
  const begun = tags.slice(0, tags.lastIndexOf(',') + 1);
  return (
    <>
      <Field label={text.category}>
        <Select value={category} onChange={(event) => onChange({ category: event.target.value })}>
          {CATEGORIES.map((key) => (
            <option key={key} value={key}>
              {text.categories[key]}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label={text.tags}
        hint={text.tagsHint(POST_TAGS_MAX)}
        {...(tagsWrong ? { error: text.tagsWrong(POST_TAGS_MAX) } : {})}
      >
        <Input
          dir="auto"
          value={tags}
          list={list}
          maxLength={160}
          autoCapitalize="none"
          onChange={(event) => onChange({ tags: event.target.value })}
        />
      </Field>
      <datalist id={list}>
        {data?.tags.map((tag) => (
          <option key={tag} value={`${begun}${begun ? ' ' : ''}${tag}`} />
        ))}
      </datalist>
      <fieldset className="grid grid-cols-1 gap-3">
        <legend className="mb-1.5 font-semibold">{text.pictures}</legend>
        {images.map(({ url, alt }, index) => (
          <div key={url} className="grid grid-cols-1 gap-2">
            <ImageUpload
              label={text.picture(index + 1)}
              value={url}
              onChange={(next) =>
                onImages((now) => now.flatMap((one) => (one.url !== url ? [one] : next ? [{ ...one, url: next }] : [])))
              }
            />
            <Field label={text.alt} hint={text.altHint}>
              <Input
                dir="auto"
                value={alt}
                maxLength={IMAGE_ALT_MAX}
                onChange={({ target }) =>
                  onImages((now) => now.map((one) => (one.url === url ? { ...one, alt: target.value } : one)))
                }
              />
            </Field>
          </div>
        ))}
        {images.length < POST_IMAGES_MAX ? (
          <ImageUpload
            key={images.length}
            label={text.addPicture}
            value={null}
            onChange={(url) => {
              if (url) onImages((now) => [...now, { url, alt: '' }].slice(0, POST_IMAGES_MAX));
            }}
          />
        ) : null}
      </fieldset>
    </>
  );
}
