import { codeOf } from '#app/lib/api/failure.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { resemblanceTexts } from '#app/lib/messages/resemblance.ts';
import type { Resemblance } from '#contract/resemblance.ts';

/** The resemblances because of which the server refused a token; undefined for every other error. */
export const resemblancesOf = (error: unknown): Resemblance[] | undefined =>
  codeOf(error) === 'RESEMBLES' ? (error as { data: { found: Resemblance[] } }).data.found : undefined;

/** Tokens that another one resembles, and in what; their pages open in a new tab, so that the input stays. */
export function Resemblances({ found }: { found: readonly Resemblance[] }) {
  const messages = useText(resemblanceTexts).resemblance;
  const href = useHref();
  return (
    <ul className="grid grid-cols-1 gap-3">
      {found.map(({ kind, id, name, symbol, path, alike }) => (
        <li key={`${kind} ${id}`} className="min-w-0 border-l-4 border-lead-soft pl-3">
          <p className="[overflow-wrap:anywhere]">
            {path ? (
              <a className="link font-semibold" href={href(path)} target="_blank" rel="noopener" dir="auto">
                {name}
                <span className="sr-only"> {messages.newTab}</span>
              </a>
            ) : (
              <span className="font-semibold" dir="auto">
                {name}
              </span>
            )}{' '}
            <span className="figures text-sm text-quiet">${symbol}</span>
          </p>
          <p className="text-sm text-quiet">
            {messages.kind[kind]}
            {path ? '' : ` (${messages.hidden})`} · {messages.in(alike.map((what) => messages.alike[what]).join(', '))}
          </p>
        </li>
      ))}
    </ul>
  );
}
