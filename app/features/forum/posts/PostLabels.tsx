import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { useAsset } from '#app/ui/assets.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { Post } from '#contract/domains/forum.ts';

/** Category, token and tags of a post, each a link to the other posts with it. */
export function PostLabels({ post, here }: { post: Post; here: string | undefined }) {
  const text = useText(discussionTexts).discussion;
  const href = useHref();
  const { about, category, tags } = post;
  const named = about && about.id !== here ? about : null;
  if (!named && category === 'general' && tags.length === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {category === 'general' ? null : (
        <Link to={href(`/forum?category=${category}`)} className="inline-flex min-h-6 items-center no-underline">
          <Badge>{text.categories[category]}</Badge>
        </Link>
      )}
      {named ? (
        <Link to={href(`/token/${named.tokenSlug ?? named.id}`)} className="link wrap-anywhere" dir="auto">
          {text.about(`${named.tokenName} ($${named.tokenSymbol})`)}
        </Link>
      ) : null}
      {tags.map((tag) => (
        <Link key={tag} to={href(`/forum?tag=${encodeURIComponent(tag)}`)} className="link wrap-anywhere" dir="auto">
          #{tag}
        </Link>
      ))}
    </p>
  );
}

/** The images of a post; each opens in full size. */
export function PostImages({ images }: { images: Post['images'] }) {
  if (images.length === 0) return null;
  return (
    <ul className={images.length === 1 ? 'grid max-w-lg gap-2' : 'grid max-w-2xl grid-cols-2 gap-2'}>
      {images.map((image) => (
        <li key={image.url} className="min-w-0">
          <PostImage {...image} single={images.length === 1} />
        </li>
      ))}
    </ul>
  );
}

function PostImage({ url, alt, width, height, single }: Post['images'][number] & { single: boolean }) {
  const text = useText(discussionTexts).discussion;
  const address = useAsset(url);
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      title={text.openPicture}
      className="block overflow-hidden rounded-control border border-line bg-raised"
    >
      <img
        src={address}
        alt={alt || text.noAlt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        className={single ? 'mx-auto h-auto max-w-full' : 'aspect-4/3 h-auto w-full object-cover'}
        // Without a width there is no space for it until it has loaded. At most 24 rem high.
        style={single ? { width: `min(${width}px, ${(24 * width) / height}rem)` } : undefined}
      />
    </a>
  );
}
