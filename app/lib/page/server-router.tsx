// What the pages take from the router while they are rendered on the server: vite.config.ts puts this file in its place. The
// router's own links prepare for clicks, prefetching and nested routes, a twentieth of what a page cost; here they are only drawn.
import type { ComponentProps, ReactElement } from 'react';
import { Link as RouterLink, NavLink as RouterNavLink, useLocation } from 'react-router';

export * from 'react-router';

/**
 * A path that is its own address: from the root, nothing to be resolved, no signs that an address would spell in another way. The
 * router decides about all others.
 */
const PLAIN = /^\/(?:[\w~-]+(?:\/[\w~-]+)*)?(?:\?[^#\s"<>]+)?(?:#[^\s"<>]+)?$/;

const isPlain = (to: unknown): to is string => typeof to === 'string' && PLAIN.test(to);

/** As the router's, in the same markup. */
export function Link(props: ComponentProps<typeof RouterLink>): ReactElement {
  return isPlain(props.to) && !props.mask ? anchor(props, props.to) : <RouterLink {...props} />;
}

function anchor(
  {
    discover = 'render',
    prefetch: _prefetch,
    relative: _relative,
    reloadDocument: _reload,
    replace: _replace,
    mask: _mask,
    state: _state,
    to: _to,
    preventScrollReset: _scroll,
    viewTransition: _transition,
    defaultShouldRevalidate: _revalidate,
    target,
    ...rest
  }: ComponentProps<typeof RouterLink>,
  href: string,
): ReactElement {
  return <a {...rest} href={href} target={target} data-discover={discover === 'render' ? 'true' : undefined} />;
}

/** As the router's, in the same markup. */
export function NavLink(props: ComponentProps<typeof RouterNavLink>): ReactElement {
  const { pathname } = useLocation();
  const {
    to,
    end = false,
    className = '',
    style,
    children,
    caseSensitive,
    'aria-current': current = 'page',
    ...rest
  } = props;
  if (
    !isPlain(to) ||
    /[?#]/.test(to) ||
    typeof className === 'function' ||
    typeof style === 'function' ||
    typeof children === 'function'
  )
    return <RouterNavLink {...props} />;
  const here = caseSensitive ? pathname : pathname.toLowerCase();
  const there = caseSensitive ? to : to.toLowerCase();
  const isActive = here === there || (!end && here.startsWith(there) && here[there === '/' ? 1 : there.length] === '/');
  return (
    <Link
      {...rest}
      to={to}
      aria-current={isActive ? current : undefined}
      className={[className, isActive ? 'active' : null].filter(Boolean).join(' ')}
      style={style}
    >
      {children}
    </Link>
  );
}
