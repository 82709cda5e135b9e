import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Crown } from '../art/Logo.tsx';
import { Progress } from '../charts/Progress.tsx';
import { cx } from '../cx.ts';
import { useFlip } from './useFlip.ts';

export interface RankListProps {
  /** In order, best first. */
  items: readonly { key: string; node: ReactNode }[];
  label?: string | undefined;
  className?: string | undefined;
}

/** An ordered list whose rows are animated to their new position when the order changes. Put a `RankRow` in each item. */
export function RankList({ items, label, className }: RankListProps) {
  const ref = useFlip<HTMLOListElement>(items.map((item) => item.key));
  return (
    <ol ref={ref} className={cx('rank-list', className)} aria-label={label}>
      {items.map((item) => (
        <li key={item.key} data-flip={item.key}>
          {item.node}
        </li>
      ))}
    </ol>
  );
}

export interface RankRowProps {
  rank: number;
  /** A `RankRowContent`. */
  children: ReactNode;
  /** One button, at most two. */
  action?: ReactNode;
  className?: string | undefined;
}

/** One row of a ranking: its content and actions. */
export function RankRow({ rank, children, action, className }: RankRowProps) {
  return (
    <article className={cx('rank-row', rank === 1 && 'rank-leader', className)}>
      {children}
      {action == null ? null : <div className="rank-action">{action}</div>}
    </article>
  );
}

export interface RankRowContentProps {
  rank: number;
  image: ReactNode;
  title: string;
  /** First below the title: a mark of the site's own. */
  mark?: ReactNode;
  /** Target of the whole row; the action stays clickable above it. */
  to?: string | undefined;
  subtitle?: ReactNode;
  /** Value relative to the leader, 0 to 100, with its label. */
  share: { value: number; label: string };
  /** A `Sparkline`; shown from 896 px on. */
  spark?: ReactNode;
  votes: ReactNode;
  votesLabel?: ReactNode;
  /** Heading level. */
  level?: 2 | 3 | undefined;
}

/** What a row of a ranking shows: place, image, name, bar, sparkline and votes. */
export function RankRowContent(props: RankRowContentProps) {
  const { rank, to, title, share, level = 2 } = props;
  const Heading = `h${level}` as const;
  return (
    <>
      <span className="rank-place">
        {rank === 1 ? <Crown className="rank-crown" /> : null}
        {rank}
      </span>
      <span className="rank-image">{props.image}</span>
      <div className="rank-name">
        <Heading className="rank-title">
          {to === undefined ? (
            title
          ) : (
            <Link to={to} className="stretched">
              {title}
            </Link>
          )}
        </Heading>
        {props.subtitle == null && props.mark == null ? null : (
          <div className="flex items-center gap-1.5">
            {props.mark}
            <span className="figures truncate text-sm text-quiet">{props.subtitle}</span>
          </div>
        )}
      </div>
      {props.spark == null ? null : <div className="rank-spark">{props.spark}</div>}
      <div className="rank-votes">
        <div className="figures text-xl leading-tight font-semibold">{props.votes}</div>
        {props.votesLabel == null ? null : <div className="text-xs text-quiet">{props.votesLabel}</div>}
      </div>
      <Progress className="rank-bar" look="bar" tone={rank === 1 ? 'lead' : 'quiet'} {...share} />
    </>
  );
}
