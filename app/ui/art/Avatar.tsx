import { hashText } from '#contract/token-colours.ts';
import { cx } from '../cx.ts';

const colours = [
  ['#FFB627', '#2A1B00'],
  ['#FF8A7A', '#35090B'],
  ['#5FE3AC', '#052A1D'],
  ['#7CC6FF', '#06243F'],
  ['#F5E6C8', '#3D2410'],
  ['#F7A8C4', '#3B0A22'],
  ['#C8E34E', '#1F2B05'],
  ['#5BC8C0', '#04292B'],
] as const;

export interface AvatarProps {
  name: string;
  /** Pixels. */
  size?: number | undefined;
  className?: string | undefined;
}

/** A member without an image: an initial on a colour derived from the name. Decoration: put the name next to it. */
export function Avatar({ name, size = 40, className }: AvatarProps) {
  const [background, color] = colours[hashText(name) % colours.length] ?? colours[0];
  return (
    <span
      className={cx('avatar', className)}
      style={{ width: size, height: size, fontSize: Math.max(13, size * 0.44), background, color }}
      aria-hidden="true"
    >
      {Array.from(name.trim())[0] ?? '?'}
    </span>
  );
}
