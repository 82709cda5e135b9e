import { useState } from 'react';
import { useAsset } from '../assets.ts';
import { cx } from '../cx.ts';
import { TokenArt } from './TokenArt.tsx';

export interface TokenImageProps {
  id: string;
  symbol: string;
  /** The uploaded image, if there is one. */
  src?: string | null | undefined;
  /** Empty when the name is next to it. */
  alt: string;
  /** Pixels; `fill` takes the width of the parent. */
  size?: number | 'fill' | undefined;
  /** For images on the first screen. */
  eager?: boolean | undefined;
  className?: string | undefined;
}

/**
 * The image of a token. Its drawn coin is always underneath: it is visible while the upload loads, and stays when there is none or it
 * fails (the failed image is hidden).
 */
export function TokenImage({ id, symbol, src: source, alt, size = 72, eager, className }: TokenImageProps) {
  const src = useAsset(source);
  const [state, setState] = useState<{ src: string; ok: boolean } | null>(null);
  const known = state && state.src === src ? state : null;
  const failed = known?.ok === false;
  const settle = (ok: boolean) => {
    if (src && (known === null || known.ok !== ok)) setState({ src, ok });
  };
  return (
    <span className={cx('token-image', className)} style={size === 'fill' ? undefined : { width: size, height: size }}>
      {known?.ok ? null : (
        <TokenArt
          id={id}
          symbol={symbol}
          label={src && !failed ? '' : alt}
          small={typeof size === 'number' && size < 48}
        />
      )}
      {src ? (
        <img
          // An image that loaded or failed before hydration fires no event any more.
          ref={(image) => {
            if (image?.complete) settle(image.naturalWidth > 0);
          }}
          src={src}
          alt={alt}
          hidden={failed}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          onLoad={() => settle(true)}
          onError={() => settle(false)}
        />
      ) : null}
    </span>
  );
}
