import { PuppetHead } from '../PuppetHead.tsx';

/** Shapes of the `SceneEmptyStage`, in the box of a scene. */
export function SceneEmptyStageShapes() {
  return (
    <>
      <path d="M48 34h184v106H48z" fill="light-dark(#3a2230, #0b0c15)" />
      <path d="M140 30 96 142h88z" fill="#ffdc8f" opacity="0.34" />
      <ellipse cx="140" cy="141" rx="46" ry="7" fill="#ffdc8f" opacity="0.85" />
      <PuppetHead x={206} y={92} scale={0.62} look={-1} />
      <path d="M40 30c34 22 40 58 24 112H40zM240 30c-34 22-34 58-22 112h22z" fill="#e0503f" />
      <path d="M46 34c16 28 18 66 10 108H40V30zM236 34c-14 28-14 66-8 108h12V30z" fill="#b93a31" />
      <path
        d="M36 24h208v12a13 13 0 0 1-26 2 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26-2z"
        fill="#f4604f"
      />
      <path d="M30 140h220v20H30z" fill="#9a6a3a" />
      <path d="M30 140h220v5H30z" fill="#c48d52" />
      <path d="M40 152h204" stroke="#ffcf6b" strokeWidth="6" strokeLinecap="round" strokeDasharray="0 17" />
      <path d="M36 18h208v8H36z" fill="#ffb627" />
    </>
  );
}
