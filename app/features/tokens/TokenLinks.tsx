import { AtSign, Globe, type LucideIcon, MessageCircle, Send } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { English } from '#app/ui/layout/English.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { Token } from '#contract/domains/tokens.ts';
import type { TokenLink } from '#contract/fields/links.ts';

/** In the order of the tiles. */
const ICONS: Record<TokenLink, LucideIcon> = {
  websiteUrl: Globe,
  twitterUrl: AtSign,
  telegramUrl: Send,
  discordUrl: MessageCircle,
};

/** Only http(s) URLs become links, whatever is stored. */
const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** The project's links; a tile only with a URL, the card only with a tile. */
export function TokenLinks({ token }: { token: Token }) {
  const text = useText(tokenTexts, tokenDetailTexts);
  const tiles = (Object.keys(ICONS) as TokenLink[])
    .map((link) => ({ url: token[link], label: text.token.link[link], Icon: ICONS[link] }))
    .filter((tile) => isWeb(tile.url));
  if (tiles.length === 0) return null;
  return (
    <Section title={<English>{text.token.links}</English>}>
      <ul className="grid gap-3 sm:grid-cols-2 sm:max-lg:[&>:last-child:nth-child(odd)]:col-span-2 lg:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))]">
        {tiles.map(({ url, label, Icon }) => (
          <li key={label}>
            <a
              href={url ?? undefined}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
              className="card card-hover flex min-h-14 items-center gap-3 px-4 py-3 font-semibold"
            >
              <Icon aria-hidden="true" className="size-5 text-sky-text" />
              <English>{label}</English>
              <span className="visually-hidden">({text.shared.newTab})</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
