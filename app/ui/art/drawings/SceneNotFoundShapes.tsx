import { PuppetHead } from '../PuppetHead.tsx';

/** Shapes of the `SceneNotFound`, in the box of a scene. */
export function SceneNotFoundShapes() {
  return (
    <>
      <PuppetHead x={66} y={116} scale={0.98} look={1} />
      <path d="M34 164c2-16 12-24 32-24s32 8 34 24z" fill="#3aa9a0" stroke="#4a2a14" strokeWidth="3" />
      <path d="M98 148c16-6 24-18 30-34" fill="none" stroke="#4a2a14" strokeWidth="9" strokeLinecap="round" />
      <path d="M98 148c16-6 24-18 30-34" fill="none" stroke="#f2c897" strokeWidth="5" strokeLinecap="round" />
      <g transform="rotate(14 190 62)">
        <path
          d="M150 34h70v14a9 9 0 0 0 0 18v14h-70l6-8-6-7 6-8-6-8 6-7z"
          fill="#ffb627"
          stroke="#8a5600"
          strokeWidth="3"
          strokeLinejoin="round"
        />
        <path d="m186 42 4.5 10 10.5 1-8 7.5 2.5 10.5-9.5-5.5-9.5 5.5 2.5-10.5-8-7.5 10.5-1z" fill="#fff3cf" />
      </g>
      <g fill="none" stroke="var(--wire)" strokeWidth="3" strokeLinecap="round">
        <path d="M118 74c14-12 20 8 34-4M124 96c12-8 18 6 30-2M236 96c10-8 16 6 26-2" />
      </g>
    </>
  );
}
