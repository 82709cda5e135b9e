import { fragment } from '../fragment.ts';

export interface PuppetHeadProps {
  x: number;
  y: number;
  scale?: number | undefined;
  /** Direction of the eyes: -1 to 1. */
  look?: number | undefined;
  /** Closed eyes, flat mouth. */
  sad?: boolean | undefined;
  crown?: boolean | undefined;
}

/** The puppet of the logo as a character of the drawn scenes: a `<g>` about 60 wide around its middle. */
export function PuppetHead({ x, y, scale = 1, look = 0, sad, crown }: PuppetHeadProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`} strokeLinejoin="round" strokeLinecap="round">
      <path d="M-28-18h56v16a28 28 0 0 1-56 0z" fill="#f2c897" stroke="#4a2a14" strokeWidth="3" />
      <path d="M-11 24V10q11 6 22 0v14" fill="#e3ad75" stroke="#4a2a14" strokeWidth="3" />
      <circle cx="0" cy="2.5" r="3.8" fill="#f4604f" />
      <g fill="#ff7b6b" opacity="0.75">
        <circle cx="-19" cy="4" r="5" />
        <circle cx="19" cy="4" r="5" />
      </g>
      {sad ? (
        <path d="M-15-5q4 4 8 0M7-5q4 4 8 0" fill="none" stroke="#4a2a14" strokeWidth="3" />
      ) : (
        <g>
          <circle cx="-11" cy="-5" r="6" fill="#fff" stroke="#4a2a14" strokeWidth="2" />
          <circle cx="11" cy="-5" r="6" fill="#fff" stroke="#4a2a14" strokeWidth="2" />
          <circle cx={-11 + look * 2.6} cy="-4" r="2.8" fill="#2a160a" />
          <circle cx={11 + look * 2.6} cy="-4" r="2.8" fill="#2a160a" />
        </g>
      )}
      {crown ? (
        <path
          className="puppet-crown"
          d="M-27-20-32-46l16 11L0-56l16 21 16-11-5 26z"
          fill="#ffb627"
          stroke="#8a5600"
          strokeWidth="3"
        />
      ) : (
        <path d="M-30-18c-2-20 12-30 30-30s32 10 30 30z" fill="var(--tent-a)" stroke="#4a2a14" strokeWidth="3" />
      )}
    </g>
  );
}

/** The puppet with the crown in the crossing lights: the image of the hero. */
export const CrownedPuppet = fragment(({ className }: { className?: string | undefined }) => {
  return (
    <svg className={className} viewBox="0 0 360 320" width="360" height="320" overflow="visible" aria-hidden="true">
      <circle cx="180" cy="160" r="150" fill="var(--beam)" opacity="0.1" />
      <circle cx="180" cy="160" r="118" fill="var(--beam)" opacity="0.12" />
      <path
        className="hero-puppet-strings"
        d="M66 250V-600M294 250V-600M126 64V-600M234 64V-600"
        stroke="var(--wire)"
        strokeWidth="2"
      />
      <path
        d="M62 266h236v12a19.7 19.7 0 0 1-39.3 4 19.7 19.7 0 0 1-39.3 0 19.7 19.7 0 0 1-39.4 0 19.7 19.7 0 0 1-39.3 0 19.7 19.7 0 0 1-39.3 0 19.7 19.7 0 0 1-39.4-4z"
        fill="#e0503f"
      />
      <path d="M52 250h256v18H52z" fill="var(--color-lead)" />
      <path d="M60 259h240" stroke="#fff3cf" strokeWidth="7" strokeLinecap="round" strokeDasharray="0 20" />
      <path d="M120 252c4-38 26-56 60-56s56 18 60 56z" fill="#f4604f" stroke="#4a2a14" strokeWidth="5" />
      <path d="m180 200-16 14 16 14 16-14zM150 232l-10 10 10 9 10-9zM210 232l-10 10 10 9 10-9z" fill="#ffb627" />
      <PuppetHead x={180} y={156} scale={2} crown />
    </svg>
  );
});
