import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { LanguageSwitch } from '#app/lib/i18n/LanguageSwitch.tsx';
import { SiteLogo } from '#app/lib/page/SiteLogo.tsx';
import { useSignOut } from '#app/lib/session/sign-out.ts';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { MenuIcon } from '#app/ui/controls/frame-icons.tsx';
import { Sheet } from '#app/ui/controls/Sheet.tsx';
import { ThemeToggle } from '#app/ui/controls/ThemeToggle.tsx';
import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { sessionChanged, useMe, useMemberHint } from './auth.queries.ts';

const LINKS = ['home', 'next', 'vote', 'news', 'forum', 'create', 'publish'] as const;
const pathOf = (link: (typeof LINKS)[number]) => (link === 'home' ? '/' : `/${link}`);

/**
 * The header of every public page: sections, account, theme and language; on phones in a menu, as far as there is no room.
 * @param tools of other features: search, notifications.
 */
export function Header({ tools }: { tools?: ReactNode }) {
  const text = useText();
  const href = useHref();
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  // The content of the menu is rendered with its first opening, and stays: no document and no hydration has it.
  const [opened, setOpened] = useState(false);
  // Members have one more tool.
  const me = useMe();
  useMemberHint();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu.
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className="site-header">
      <div className="page flex h-16 items-center gap-1 sm:gap-4">
        <Link to={href('/')} className="flex min-h-11 flex-none items-center gap-2">
          <SiteLogo wordmark decorative />{' '}
          <span className="max-[22rem]:hidden">
            <Badge tone="lead">{text.brand.beta}</Badge>
          </span>
        </Link>
        <nav aria-label={text.nav.main} className="ml-2 hidden flex-none nav:block">
          <SectionLinks className="flex gap-0.5" />
        </nav>
        <div className="header-tools ml-auto flex min-w-0 items-center gap-1 sm:gap-1.5">
          {tools}
          <ThemeToggle labels={text.nav.theme} className="flex-none max-[29rem]:hidden" />
          <LanguageSwitch
            className={cx(
              'flex-none',
              me ? 'max-[26rem]:hidden' : 'max-[22rem]:hidden in-data-[member]:max-[26rem]:hidden',
            )}
          />
          <div className="hidden min-w-0 sm:block">
            <Account />
          </div>
          <IconButton
            label={text.nav.openMenu}
            className="header-tools-end flex-none nav:hidden"
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={() => {
              setOpened(true);
              setOpen(true);
            }}
          >
            <MenuIcon />
          </IconButton>
        </div>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={text.brand.name} closeLabel={text.nav.closeMenu}>
        {opened ? (
          <>
            <nav aria-label={text.nav.main}>
              <SectionLinks className="grid gap-1" onFollow={() => setOpen(false)} />
            </nav>
            <div className="mt-5 flex flex-wrap items-center gap-3 border-t border-line pt-5">
              <Account whole />
              <ThemeToggle labels={text.nav.theme} className="min-[29rem]:hidden" />
              <LanguageSwitch className={me ? 'min-[26rem]:hidden' : 'min-[22rem]:hidden'} />
            </div>
          </>
        ) : null}
      </Sheet>
    </header>
  );
}

/** Links that work without scripts; on phones also the sections, whose menu needs a script. */
export function WithoutScripts() {
  const text = useText();
  return (
    <noscript>
      <div className="page py-3 text-sm">
        <p className="rounded-control border border-edge bg-panel px-4 py-2.5">{text.nav.noScript}</p>
        <nav aria-label={text.nav.main} className="mt-1 nav:hidden">
          <SectionLinks className="flex flex-wrap gap-0.5" />
        </nav>
      </div>
    </noscript>
  );
}

function SectionLinks({ className, onFollow }: { className: string; onFollow?: () => void }) {
  const text = useText();
  const href = useHref();
  return (
    <ul className={className} lang="en">
      {LINKS.map((link) => (
        <li key={link}>
          <NavLink to={href(pathOf(link))} end={link === 'home'} className="nav-link" onClick={onFollow}>
            {text.nav[link]}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

/** `whole` shows a long email in full, in vertical layouts. */
function Account({ whole }: { whole?: boolean }) {
  const text = useText();
  const href = useHref();
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = useSignOut({ done: text.toast.signedOut, failed: text.toast.signOutFailed }, async () => {
    await sessionChanged(queries, null);
    await navigate(href('/'));
  });
  if (!me)
    return (
      <ButtonLink to={href('/auth')} variant="primary" size={whole ? 'md' : 'sm'} className="visitor-only" lang="en">
        {text.nav.getStarted}
      </ButtonLink>
    );
  return (
    <div className={cx('flex min-w-0 items-center gap-2.5', whole && 'w-full flex-wrap')}>
      <Link
        to={href('/account')}
        className={cx('nav-link', whole ? 'break-all' : 'block min-w-8 max-w-56 truncate leading-10')}
        title={me.email}
      >
        <span className="visually-hidden">{text.nav.account}: </span>
        {me.email}
      </Link>
      <Button size="sm" className="flex-none" busy={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
        {text.nav.signOut}
      </Button>
    </div>
  );
}
