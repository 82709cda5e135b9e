import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMediaTexts } from '#app/lib/messages/admin/media.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { LibraryImage, MediaUse } from '#contract/admin/media.ts';

/** First characters of an image's address: enough to distinguish it, and to find it by the search. */
const ADDRESS_SHOWN = 8;

/** Display name of an image: the first record that shows it, else its size and the beginning of its address. */
export function useImageName(): (image: LibraryImage) => string {
  const { library: messages } = useText(adminMediaTexts);
  return ({ shownIn, width, height, url }) =>
    shownIn[0]?.title ??
    messages.nameless(width, height, url.slice('/media/'.length, '/media/'.length + ADDRESS_SHOWN));
}

/** Details of an image that users may hide; the image itself is always shown. */
export const IMAGE_PARTS = ['size', 'sent', 'uses'] as const;
export type ImagePart = (typeof IMAGE_PARTS)[number];

interface ImageCardProps {
  image: LibraryImage;
  shows: (part: ImagePart) => boolean;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  /** Moves it to the trash, or restores it. */
  onRemove: () => void;
  onReplace: () => void;
}

/** One image with its uses and its actions. */
export function ImageCard({ image, shows, chosen, onChoose, onRemove, onReplace }: ImageCardProps) {
  const { library: messages } = useText(adminMediaTexts);
  const locale = useLocale();
  const name = useImageName()(image);
  const inTrash = image.trashedAt !== null;
  const more = image.uses - image.shownIn.length;
  const kilobytes = integer(Math.max(1, Math.round(image.bytes / 1024)), locale);
  return (
    <article className="grid grid-cols-1 gap-3" aria-label={name}>
      <ImagePreview image={image} />
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 text-sm text-quiet">
          {shows('size') ? <p>{messages.size(image.width, image.height, kilobytes)}</p> : null}
          {shows('sent') ? (
            <p className="wrap-anywhere">
              <When iso={image.createdAt} /> · {image.sentBy ? messages.sentBy(image.sentBy) : messages.sentByNobody}
            </p>
          ) : null}
        </div>
        {inTrash || image.uses === 0 ? (
          <label className="grid size-10 flex-none place-items-center">
            <input
              type="checkbox"
              className="check-box"
              aria-label={messages.choose(name)}
              checked={chosen}
              onChange={(event) => onChoose(event.target.checked)}
            />
          </label>
        ) : null}
      </div>
      {!shows('uses') ? null : image.uses === 0 ? (
        <p className="flex flex-wrap gap-1.5">
          <Badge tone="neutral">{messages.unused}</Badge>
          {image.temporary ? <Badge tone="neutral">{messages.temporary}</Badge> : null}
        </p>
      ) : (
        <div className="text-sm">
          <p className="font-semibold">{messages.uses(image.uses, integer(image.uses, locale))}</p>
          <Uses uses={image.shownIn} />
          {more > 0 ? <p className="text-quiet">{messages.more(more, integer(more, locale))}</p> : null}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {inTrash ? (
          <Button size="sm" aria-label={messages.restoreFor(name)} onClick={onRemove}>
            {messages.restore}
          </Button>
        ) : image.uses === 0 ? (
          <Button size="sm" aria-label={messages.removeFor(name)} onClick={onRemove}>
            {messages.remove}
          </Button>
        ) : null}
        {!inTrash && image.shownIn.some(({ version }) => version !== null) ? (
          <Button size="sm" aria-label={messages.replaceFor(name)} onClick={onReplace}>
            {messages.replace}
          </Button>
        ) : null}
      </div>
    </article>
  );
}

function ImagePreview({ image }: { image: LibraryImage }) {
  const { library: messages } = useText(adminMediaTexts);
  const [failed, setFailed] = useState(false);
  if (image.hidden || failed)
    return (
      <p className="grid aspect-4/3 place-content-center justify-items-center gap-2 rounded-[10px] border border-dashed border-line p-4 text-center text-sm text-quiet">
        <ImageOff aria-hidden="true" />
        {image.hidden ? messages.hidden : messages.missing}
      </p>
    );
  return (
    <a href={image.url} target="_blank" rel="noopener" aria-label={messages.open} className="block">
      <img
        src={image.url.replace('.webp', '-384.webp')}
        alt=""
        loading="lazy"
        className="aspect-4/3 w-full rounded-[10px] border border-line bg-panel object-contain"
        onError={() => setFailed(true)}
      />
    </a>
  );
}

/** The records that show an image, each with a link. */
export function Uses({ uses }: { uses: readonly MediaUse[] }) {
  const { library: messages, nav } = useText(adminMediaTexts);
  const href = useHref();
  const pages: Partial<Record<string, string>> = nav.pages;
  /** Pages and settings have their own names; of a record without a title the beginning of the id is shown. */
  const nameOf = ({ place, record, title }: MediaUse): string =>
    title ?? (place === 'page' ? pages[record] : place === 'setting' ? messages.siteMark : null) ?? record.slice(0, 8);
  return (
    <ul className="mt-1 grid gap-1">
      {uses.map((use) => (
        <li key={`${use.place}/${use.record}`} className="min-w-0 wrap-anywhere">
          <span className="text-quiet">{messages.places[use.place]}: </span>
          <Link to={href(addressOf(use))} className="link">
            {nameOf(use)}
          </Link>
          {use.inTrash ? <span className="text-quiet"> ({messages.inTrash})</span> : null}
        </li>
      ))}
    </ul>
  );
}

const LISTS: Partial<Record<MediaUse['place'], string>> = {
  project: '/admin/projects',
  candidate: '/admin/votes',
  next_project: '/admin/next-projects',
  news: '/admin/news',
};

/** The screen that shows the record: its list filtered by its name, its list with the record open, or its own page. */
function addressOf({ place, record, title, inTrash }: MediaUse): string {
  if (place === 'post') return `/forum/${record}`;
  if (place === 'member') return `/admin/people/${record}`;
  if (place === 'submission') return `/admin/submissions?open=${record}`;
  if (place === 'request') return `/admin/token-creation?request=${record}`;
  if (place === 'page') return '/admin/site-pages';
  if (place === 'setting') return '/admin/settings';
  if (place === 'deliverable') return '/admin/deliverables';
  const trash = inTrash ? '&shelf=trash' : '';
  return `${LISTS[place]}?q=${encodeURIComponent(title ?? '')}${trash}`;
}
