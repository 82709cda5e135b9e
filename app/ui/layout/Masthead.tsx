import type { CSSProperties, ReactNode } from 'react';

export interface MastheadProps {
  /** A `TokenImage` that fills its container. */
  image: ReactNode;
  title: ReactNode;
  symbol?: ReactNode;
  badges?: ReactNode;
  lead?: ReactNode;
  /** Below the lead: addresses, dates. */
  meta?: ReactNode;
  actions?: ReactNode;
  /** The token's own colour, which tints its panel. */
  tint?: string | undefined;
  /** A `Stats` block. */
  stats?: ReactNode;
  className?: string | undefined;
}

/** The head of the page of a token or candidate. */
export function Masthead(props: MastheadProps) {
  return (
    <header className={props.className}>
      <div className="masthead" style={{ '--tint': props.tint } as CSSProperties}>
        <div className="masthead-image">{props.image}</div>
        <div className="masthead-name">
          <h1 className="masthead-title">{props.title}</h1>
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            {props.symbol == null ? null : <span className="figures text-lg text-quiet">{props.symbol}</span>}
            {props.badges}
          </div>
        </div>
        <div className="masthead-text">
          {props.lead == null ? null : <p className="max-w-[40rem] text-lg leading-normal">{props.lead}</p>}
          {props.meta == null ? null : <div className="mt-4 flex flex-wrap items-center gap-3">{props.meta}</div>}
        </div>
        {props.actions == null ? null : (
          <div className="masthead-actions">
            {props.actions}
            <span className="masthead-actions-end" hidden />
          </div>
        )}
      </div>
      {props.stats == null ? null : <div className="mt-7">{props.stats}</div>}
    </header>
  );
}
