// Replacement for the router's components during server rendering: vite.config.ts substitutes this file. The router's own links
// prepare for clicks, prefetching and nested routes, a twentieth of a page's cost; here they only render markup.
import type { ComponentProps, ReactElement } from 'react';
import { Link as RouterLink, NavLink as RouterNavLink, useLocation } from 'react-router';

export * from 'react-router';

/**
 * A path that can be used as href unchanged: absolute, nothing to resolve, no characters that have to be encoded. The router handles
 * all others.
 */
const PLAIN = /^\/(?:[\w~-]+(?:\/[\w~-]+)*)?(?:\?[^#\s"<>]+)?(?:#[^\s"<>]+)?$/;

const isPlain = (to: unknown): to is string => typeof to === 'string' && PLAIN.test(to);

/** The same markup as the router's. */
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

/** The same markup as the router's. */
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
