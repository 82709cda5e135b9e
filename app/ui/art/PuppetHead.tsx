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
