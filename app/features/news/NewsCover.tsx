import { useState } from 'react';
import { useAsset } from '#app/ui/assets.ts';
import { cx } from '#app/ui/cx.ts';
import { FairScene } from './FairScene.tsx';

interface NewsCoverProps {
  id: string;
  src: string | null;
  /** For images on the first screen. */
  eager?: boolean | undefined;
  className?: string | undefined;
}

/** Images come from the site's own store or over https; addresses with http are loaded over https, data URLs are not used. */
const usable = (src: string | null): string | undefined =>
  src && /^(https?:\/\/|\/(?!\/))/i.test(src) ? src.replace(/^http:/i, 'https:') : undefined;

/** The image of a news item. A drawing of the fair is shown while it loads, and when there is none or it fails. */
export function NewsCover({ id, src, eager, className }: NewsCoverProps) {
  const source = useAsset(usable(src));
  const [settled, setSettled] = useState<{ src: string; ok: boolean } | null>(null);
  const known = settled && settled.src === source ? settled : null;
  const settle = (ok: boolean) => {
    if (source && known?.ok !== ok) setSettled({ src: source, ok });
  };
  return (
    <div className={cx('news-cover relative aspect-video overflow-hidden bg-raised', className)}>
      {known?.ok ? null : <FairScene id={id} className="absolute inset-0 size-full" />}
      {source ? (
        <img
          // An image that loaded or failed before hydration fires no event any more.
          ref={(image) => {
            if (image?.complete) settle(image.naturalWidth > 0);
          }}
          src={source}
          alt=""
          hidden={known?.ok === false}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
          onLoad={() => settle(true)}
          onError={() => settle(false)}
        />
      ) : null}
    </div>
  );
}
