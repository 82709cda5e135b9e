import { dateTime, fullDateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useTextLanguage } from '#app/lib/i18n/text-language.ts';
import { useMounted } from '#app/lib/live/clock.ts';
import { cx } from '#app/ui/cx.ts';
import { fragment } from '#app/ui/fragment.ts';
import { autolink } from './autolink.ts';

interface UserTextProps {
  children: string;
  className?: string | undefined;
}

/** Text of a user: plain text, its own writing direction, URLs as links. */
export const UserText = fragment(({ children, className }: UserTextProps) => {
  const text = useText();
  const lang = useTextLanguage()(children);
  return (
    <p dir="auto" lang={lang} className={cx('whitespace-pre-line wrap-anywhere', className)}>
      {autolink(children).map((piece, i) =>
        piece.href ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity.
            key={i}
            href={piece.href}
            target="_blank"
            rel="nofollow ugc noopener"
            className="link"
          >
            {piece.text}
            <span className="visually-hidden"> ({text.shared.newTab})</span>
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  );
});

/** When a text was written, in the reader's time zone; the full time with the zone on hover. */
export function WrittenAt({ iso }: { iso: string }) {
  const locale = useLocale();
  const mounted = useMounted();
  // The server does not have the reader's time zone; its document, and the browser's first render, use UTC.
  const zone = mounted ? {} : ({ timeZone: 'UTC' } as const);
  return (
    <time dateTime={iso} title={fullDateTime(iso, locale, zone)} suppressHydrationWarning>
      {dateTime(iso, locale, zone)}
      {mounted ? null : ' UTC'}
    </time>
  );
}
