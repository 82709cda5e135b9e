import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { day, dollars, integer, percent } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { CreationFacts, Token } from '#contract/domains/tokens.ts';
import { FigureSource } from './FigureSource.tsx';

/** Verifiable facts about a token, each with its source. Unknown ones are omitted. */
export function TokenFacts({ token }: { token: Token }) {
  const text = useText(tokenTexts, tokenDetailTexts).token;
  const locale = useLocale();
  const creation = token.facts?.creation ?? null;
  const verified = token.verified ?? [];
  if (!creation && !token.network && token.liquidity === null && verified.length === 0) return null;
  return (
    <Section title={text.facts}>
      <div className="card px-5 md:px-6">
        <dl className="divide-y divide-line">
          {verified.map(({ by, what, at }) => (
            <Fact key={by} name={text.verified[by]} source={text.verifiedSince(day(at, locale))}>
              <span className="wrap-anywhere">{what}</span>
            </Fact>
          ))}
          {token.network ? <Fact name={text.network}>{text.networks[token.network]}</Fact> : null}
          {token.liquidity === null ? null : (
            <Fact
              name={text.liquidity}
              source={<FigureSource from={token.sources?.liquidity ?? null} serverTime={token.serverTime} />}
            >
              <span className="figures">{dollars(token.liquidity, locale)}</span>
            </Fact>
          )}
          {creation ? <Creation creation={creation} /> : null}
        </dl>
      </div>
    </Section>
  );
}

function Creation({ creation }: { creation: CreationFacts }) {
  const text = useText(tokenTexts, tokenDetailTexts).token;
  const newTab = useText(tokenTexts, tokenDetailTexts).shared.newTab;
  const locale = useLocale();
  const read = (
    <>
      {text.chainRead}, <time dateTime={creation.readAt}>{day(creation.readAt, locale)}</time>
    </>
  );
  const claim = (holds: boolean, good: string, bad: string) => (
    <span className="flex items-start gap-2">
      {holds ? (
        <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-mint-text" />
      ) : (
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-coral-text" />
      )}
      {holds ? good : bad}
    </span>
  );
  return (
    <>
      <Fact name={text.made} source={creation.simulation ? text.simulation : null}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {text.madeText(day(creation.createdAt, locale))}
          {creation.transactionUrl ? (
            <a
              href={creation.transactionUrl}
              target="_blank"
              rel="noopener noreferrer"
              className="font-semibold text-sky-text underline"
            >
              {text.madeLink}
              <span className="visually-hidden"> ({newTab})</span>
            </a>
          ) : null}
        </span>
      </Fact>
      {creation.transaction ? (
        <Fact name={text.transaction}>
          <Copyable value={creation.transaction} label={text.copyTransaction} copiedLabel={text.copied} />
        </Fact>
      ) : null}
      {creation.sourceVerifiedAt ? (
        <Fact name={text.sourceCode}>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {text.sourceCodeSame(day(creation.sourceVerifiedAt, locale))}
            {creation.addressUrl ? (
              <a
                href={`${creation.addressUrl}#code`}
                target="_blank"
                rel="noopener noreferrer"
                className="font-semibold text-sky-text underline"
              >
                {text.sourceCodeLink}
                <span className="visually-hidden"> ({newTab})</span>
              </a>
            ) : null}
          </span>
        </Fact>
      ) : null}
      {creation.again ? (
        <Fact name={text.again.name}>
          {creation.again.differences.length === 0
            ? claim(true, text.again.same(day(creation.again.at, locale)), '')
            : claim(
                false,
                '',
                text.again.differs(
                  day(creation.again.at, locale),
                  creation.again.differences.map((code) => text.again.codes[code] ?? code).join(', '),
                ),
              )}
        </Fact>
      ) : null}
      {creation.mintRevoked === null ? null : (
        <Fact name={text.mint} source={read}>
          {claim(creation.mintRevoked, text.mintRevoked, text.mintHeld)}
        </Fact>
      )}
      {creation.freezeRevoked === null ? null : (
        <Fact name={text.freeze} source={read}>
          {claim(creation.freezeRevoked, text.freezeRevoked, text.freezeHeld)}
        </Fact>
      )}
      {creation.metadataLocked === null ? null : (
        <Fact name={text.metadata} source={read}>
          {claim(creation.metadataLocked, text.metadataLocked, text.metadataOpen)}
          <span className="block text-sm text-quiet">
            {creation.network === 'solana'
              ? creation.filesHashed
                ? text.files.hashed
                : text.files.site
              : text.files.offChain}
          </span>
        </Fact>
      )}
      {creation.supply === null ? null : (
        <Fact name={text.supply} source={read}>
          <span className="figures">{integer(BigInt(creation.supply), locale)}</span>
        </Fact>
      )}
      {creation.ownerShare === null ? null : (
        <Fact name={text.ownerShare} source={read}>
          <span className="figures">{percent(creation.ownerShare, locale, 2)}</span>
        </Fact>
      )}
    </>
  );
}

function Fact(props: { name: ReactNode; source?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 py-3.5 sm:grid-cols-[10rem_minmax(0,3fr)_minmax(0,2fr)] lg:grid-cols-[12rem_minmax(0,3fr)_minmax(0,2fr)] sm:items-baseline">
      <dt className="text-sm text-quiet">{props.name}</dt>
      <dd className={props.source ? undefined : 'sm:col-span-2'}>{props.children}</dd>
      {props.source ? <dd className="text-sm text-quiet sm:text-right">{props.source}</dd> : null}
    </div>
  );
}
