import { Link, useRouteLoaderData } from 'react-router';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { TokenKind } from '#contract/fields/schemas.ts';

interface TokenBadgeProps {
  kind: TokenKind;
  id: string;
  /** Its name in addresses. */
  slug: string;
  name: string;
}

/** The live badge of a token, and the code to embed it elsewhere with a link. */
export default function TokenBadge({ kind, id, slug: named, name: tokenName }: TokenBadgeProps) {
  const text = useText(tokenTexts, tokenDetailTexts);
  const locale = useLocale();
  const href = useHref();
  const origin = useRouteLoaderData<{ origin: string }>('root')?.origin ?? '';
  const slug = encodeURIComponent(named);
  const badge = `/badge/${locale === 'en' ? 'en/' : ''}${slug}.svg`;
  const page = origin + href(`/token/${slug}`);
  const name = `${tokenName} · ${text.brand.name}`;
  const codes = [
    [text.token.badgeHtml, `<a href="${page}"><img src="${origin}${badge}" alt="${forHtml(name)}" height="28"></a>`],
    [text.token.badgeMarkdown, `[![${forMarkdown(name)}](${origin}${badge})](${page})`],
  ] as const;
  async function copy(code: string) {
    try {
      await navigator.clipboard.writeText(code);
      notify.success({ title: text.token.badgeCopied });
    } catch {
      notify.error({ title: text.token.badgeFailed, text: code });
    }
  }
  return (
    <Section title={text.token.badge}>
      <div className="card flex flex-wrap items-center gap-x-6 gap-y-4 p-5">
        {/* The width of most badges is reserved until it is loaded, so that nothing moves. */}
        <div className="h-7 w-full sm:w-auto sm:min-w-50">
          <img src={badge} alt={name} height={28} loading="lazy" className="h-7" />
        </div>
        <div className="min-w-56 flex-1 text-sm text-quiet">
          <p>{text.token.badgeText}</p>
          <p className="mt-1">
            <Link to={href(`/creator/${kind}/${id}`)} className="link">
              {text.token.yours}
            </Link>
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {codes.map(([label, code]) => (
            <Button key={label} size="sm" onClick={() => void copy(code)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </Section>
  );
}

const ENTITY: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const forHtml = (name: string) => name.replace(/[&<>"]/g, (sign) => ENTITY[sign] ?? '');
const forMarkdown = (name: string) => name.replace(/[\\[\]]/g, '\\$&');
