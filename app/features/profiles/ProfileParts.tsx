import { Heart, Star, Ticket, Trophy } from 'lucide-react';
import { Link } from 'react-router';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { BadgeKind, Profile } from '#contract/domains/profiles.ts';

const ICONS = { writer: Star, appreciated: Heart, voter: Ticket, picker: Trophy } as const satisfies Record<
  BadgeKind,
  unknown
>;

/** Badges with their reasons. */
export function ProfileBadges({ badges }: { badges: Profile['badges'] }) {
  const { profile: text } = useText(profileTexts);
  const locale = useLocale();
  if (badges.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lg">{text.badges}</h2>
      <ul className="mt-3 grid gap-3">
        {badges.map(({ badge, step, count }) => {
          const Icon = ICONS[badge];
          return (
            <li key={badge} className="flex gap-3">
              <span className="flex size-10 flex-none items-center justify-center rounded-full bg-lead-soft text-lead-text">
                <Icon aria-hidden="true" className="size-5" />
              </span>
              <div className="min-w-0">
                <p className="font-semibold">
                  {text.badge[badge]} <span className="text-sm font-normal text-quiet">{text.step(step)}</span>
                </p>
                <p className="text-sm text-quiet">{text.because[badge](integer(count, locale))}</p>
              </div>
            </li>
          );
        })}
      </ul>
      <p className="mt-4 text-xs text-quiet">{text.badgesText}</p>
    </Card>
  );
}

/** Tokens that a member has proven to have created. */
export function ProfileCreated({ created }: { created: Profile['created'] }) {
  const { profile: text } = useText(profileTexts);
  if (created.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lg">{text.created}</h2>
      <Tokens tokens={created} />
    </Card>
  );
}

/** Tokens that a member publicly follows. */
export function ProfileFollows({ follows }: { follows: Profile['follows'] }) {
  const { profile: text } = useText(profileTexts);
  if (follows === null) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lg">{text.follows}</h2>
      {follows.length === 0 ? <p className="mt-2 text-sm text-quiet">{text.followsNone}</p> : null}
      <Tokens tokens={follows} />
    </Card>
  );
}

function Tokens({ tokens }: { tokens: Profile['created'] }) {
  const href = useHref();
  return (
    <ul className="mt-2 grid">
      {tokens.map(({ kind, id, tokenName, tokenSymbol, tokenSlug, imageUrl }) => (
        <li key={`${kind}:${id}`}>
          <Link
            to={href(`/token/${tokenSlug ?? id}${kind === 'candidate' ? '/candidate' : ''}`)}
            className="flex min-h-12 items-center gap-3 hover:underline"
          >
            <TokenImage id={id} symbol={tokenSymbol} src={imageUrl} alt="" size={32} />
            <span dir="auto" className="min-w-0 font-semibold wrap-anywhere">
              {tokenName}
            </span>
            <span className="figures text-sm text-quiet">${tokenSymbol}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
