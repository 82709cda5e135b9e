import type { ReactNode } from 'react';
import { Marquee } from '../art/Marquee.tsx';
import { Skyline, Stars } from '../art/Skyline.tsx';
import { cx } from '../cx.ts';

export interface SpotlightHeroProps {
  title: ReactNode;
  lead?: ReactNode;
  /** Above the title: a `LiveDot` or an eyebrow. */
  over?: ReactNode;
  actions?: ReactNode;
  /**
   * At the right from 896 px on, below the text before that: a countdown, a banner; a `CrownedPuppet` is drawn small among the tents
   * there.
   */
  aside?: ReactNode;
  /** Animates the lights of the top edge. */
  live?: boolean | undefined;
  className?: string | undefined;
}

/** The hero of a page: the fair at night, or in the light theme in the morning. Holds the h1. */
export function SpotlightHero(props: SpotlightHeroProps) {
  return (
    <section className={cx('hero', props.className)}>
      <Stars />
      <Marquee lit={props.live} className="mx-2 mt-2" />
      <div className={cx('page hero-inner', props.aside != null && 'hero-inner-split')}>
        <div className="min-w-0">
          {props.over == null ? null : <div className="mb-4">{props.over}</div>}
          <h1 className="hero-title">{props.title}</h1>
          {props.lead == null ? null : <p className="hero-lead">{props.lead}</p>}
          {props.actions == null ? null : <div className="hero-actions">{props.actions}</div>}
        </div>
        {props.aside == null ? null : <div className="hero-aside">{props.aside}</div>}
      </div>
      {/* Stands on the lower edge, which moves while the text above arrives. */}
      <Skyline className="hero-scene" />
    </section>
  );
}
