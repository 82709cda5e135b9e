import type { ReactNode } from 'react';
import type { EmojiType } from '#contract/domains/forum.ts';

const face = (features: ReactNode) => (
  <>
    <circle cx="12" cy="12" r="10.5" fill="#ffc93c" stroke="#a86a00" />
    {features}
  </>
);
const eyes = (
  <g fill="#4a2a14">
    <ellipse cx="8.4" cy="10" rx="1.3" ry="1.7" />
    <ellipse cx="15.6" cy="10" rx="1.3" ry="1.7" />
  </g>
);
const line = { fill: 'none', stroke: '#4a2a14', strokeWidth: 1.6, strokeLinecap: 'round' } as const;

/** In display order. Drawn, because not every system has a font with these emoji. */
export const EMOJI: readonly { type: EmojiType; character: string; drawing: ReactNode }[] = [
  {
    type: 'like',
    character: '👍',
    drawing: (
      <path
        d="M2.5 11h4v10h-4zM6.5 11.5l4-8.3c1.9-.5 3.3.6 3 2.6l-.7 3.7h5.9c1.6 0 2.5 1.4 2 2.8l-2.4 7c-.4 1.1-1.2 1.7-2.4 1.7H9.3l-2.8-1z"
        fill="#ffc93c"
        stroke="#a86a00"
        strokeLinejoin="round"
      />
    ),
  },
  {
    type: 'love',
    character: '❤️',
    drawing: (
      <path
        d="M12 21C5.6 16.2 1.8 12.7 1.8 8.4A5.4 5.4 0 0 1 12 6a5.4 5.4 0 0 1 10.2 2.4C22.2 12.7 18.4 16.2 12 21z"
        fill="#f4495a"
        stroke="#9c1220"
        strokeLinejoin="round"
      />
    ),
  },
  {
    type: 'laugh',
    character: '😂',
    drawing: face(
      <>
        <path d="M6.3 10.2c.9-1.6 2.9-1.6 3.8 0M13.9 10.2c.9-1.6 2.9-1.6 3.8 0" {...line} />
        <path d="M6.5 13h11c-.3 3.6-2.5 5.6-5.5 5.6S6.8 16.6 6.5 13z" fill="#4a2a14" />
        <path d="M8 13.2h8v1.5H8z" fill="#fff" />
        <path
          d="M4.2 11.5c-2 2-2.7 3.7-1.6 4.8 1.2 1.1 3-.1 3-2.1zM19.8 11.5c2 2 2.7 3.7 1.6 4.8-1.2 1.1-3-.1-3-2.1z"
          fill="#4fb4ff"
        />
      </>,
    ),
  },
  {
    type: 'wow',
    character: '😮',
    drawing: face(
      <>
        {eyes}
        <path d="M6.8 6.9c.8-.9 2-1 2.8-.5M17.2 6.9c-.8-.9-2-1-2.8-.5" {...line} strokeWidth={1.2} />
        <ellipse cx="12" cy="16.5" rx="2.6" ry="3.2" fill="#4a2a14" />
      </>,
    ),
  },
  {
    type: 'sad',
    character: '😢',
    drawing: face(
      <>
        {eyes}
        <path d="M8.5 17.5c1.8-2.2 5.2-2.2 7 0" {...line} />
        <path d="M7.4 12.6c-1.9 2.5-2.3 4.5-.7 5.2 1.7.6 2.7-1.6.7-5.2z" fill="#4fb4ff" />
      </>,
    ),
  },
  {
    type: 'angry',
    character: '😠',
    drawing: face(
      <>
        {eyes}
        <path d="m5.8 7.2 4 1.7M18.2 7.2l-4 1.7M8.6 17.3c1.9-1.8 4.9-1.8 6.8 0" {...line} />
      </>,
    ),
  },
];
