import { cx } from '../cx.ts';

type ButtonVariant = 'primary' | 'soft' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: boolean | undefined;
  className?: string | undefined;
}

/** The classes of a button for anything clickable: `<Link className={buttonClass({ variant: 'primary' })}>`. */
export function buttonClass({ variant = 'secondary', size = 'md', icon, className }: ButtonLook = {}): string {
  return cx(
    'btn',
    variant !== 'secondary' && `btn-${variant}`,
    size !== 'md' && `btn-${size}`,
    icon && 'btn-icon',
    className,
  );
}
