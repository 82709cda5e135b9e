import { PuppetHead } from '../PuppetHead.tsx';

/** Shapes of the `CrownedPuppet`, in its box of 360 x 320. */
export function CrownedPuppetShapes() {
  return (
    <>
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
    </>
  );
}
