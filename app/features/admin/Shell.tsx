import './admin.css';
import './admin-lists.css';
import './admin-records.css';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { Menu as MenuIcon } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { OtherLanguage } from '#app/lib/i18n/LanguageSwitch.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Main } from '#app/lib/page/Main.tsx';
import { SiteLogo } from '#app/lib/page/SiteLogo.tsx';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Sheet } from '#app/ui/controls/Sheet.tsx';
import { ThemeToggle } from '#app/ui/controls/ThemeToggle.tsx';
import { Banner } from '#app/ui/layout/Banner.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { AdminSession } from '#contract/domains/admin.ts';
import type { StaffRole } from '#contract/staff.ts';
import { AccountBar } from './AccountBar.tsx';
import type { LoginState } from './AdminLogin.tsx';
import { type AdminAccess, useAdminAccess, useGuardedTab } from './admin.queries.ts';
import { LeaveGuard } from './kit/forms/LeaveGuard.tsx';
import { boundedCount } from './kit/list/bounded-count.ts';
import { rightsOf, useRights } from './kit/rights.tsx';
import { StepUpProvider } from './kit/StepUp.tsx';
import { NAVIGATION, type ScreenName, screenAt } from './navigation.ts';
import { AdminSearch } from './search/AdminSearch.tsx';
import { useWaitingCounts } from './useWaitingCounts.ts';

interface GuardProps {
  /**
   * Shown to admins who still have to choose their own password or to set up their second factor; `onDone` lets them in, and
   * `ready` is true once both are done.
   */
  setup: (onDone: () => void, ready: boolean) => ReactNode;
  children: ReactNode;
}

/**
 * The one guard of all /admin screens. It only decides what is shown: every call has its own guard on the server. No part of a screen
 * is mounted before the user's right to see it is confirmed.
 */
export function Guard({ setup, children }: GuardProps) {
  const access = useAdminAccess();
  const { session } = access;
  const [inside, setInside] = useState(false);
  // Signing out navigates to the sign-in itself; without this check the user would be sent back here.
  const leaving = useIsMutating({ mutationKey: rpc.auth.signOut.mutationKey() }) > 0;
  useEffect(() => {
    if (session) setInside(true);
  }, [session]);
  useGuardedTab();
  const lacking = session ? session.secondFactor === 'setup' || session.password === 'initial' : undefined;
  // The session is refetched periodically: that must not hide the recovery codes, which are shown only once.
  const [settingUp, setSettingUp] = useState(false);
  useEffect(() => {
    if (lacking) setSettingUp(true);
  }, [lacking]);
  const enter = () => {
    setSettingUp(false);
    access.retry();
  };
  if (access.session === undefined) return access.unreachable ? <Unreachable access={access} /> : <Waiting />;
  if (access.session === null) return leaving ? <Waiting /> : inside ? <SignInAgain /> : <Denied />;
  if (lacking || settingUp)
    return (
      <Shell session={access.session} bare>
        {setup(enter, !lacking)}
      </Shell>
    );
  return (
    <StepUpProvider proof={access.session.proof} passkey={access.session.passkey}>
      <Shell session={access.session}>
        <Opened session={access.session}>{children}</Opened>
      </Shell>
    </StepUpProvider>
  );
}

function Waiting() {
  const text = useText(adminTexts);
  return (
    <main id="content" className="admin-screen">
      <SkeletonGroup label={text.admin.loading} className="grid gap-4">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-72 rounded-card" />
      </SkeletonGroup>
    </main>
  );
}

function Unreachable({ access }: { access: AdminAccess }) {
  const text = useText(adminTexts);
  return (
    <main id="content" className="page flex min-h-svh flex-col py-4">
      <SiteLogo wordmark className="self-start" />
      <EmptyState
        className="m-auto"
        level={1}
        role="alert"
        scene={<SceneClosedGate />}
        title={text.admin.unreachable.title}
        action={
          <Button variant="primary" onClick={access.retry}>
            {text.admin.unreachable.retry}
          </Button>
        }
      />
    </main>
  );
}

/** The session of this tab ended while it was in use: navigates to the sign-in, which returns here afterwards (AMB-20). */
function SignInAgain() {
  const href = useHref();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { pathname, search } = useLocation();
  const login = href('/admin-login');
  useEffect(() => {
    queries.removeQueries({ queryKey: rpc.admin.key(), predicate: (query) => query.state.data !== null });
    void navigate(login, { replace: true, state: { from: pathname + search } satisfies LoginState });
  }, [queries, navigate, login, pathname, search]);
  return <Waiting />;
}

function Denied() {
  const text = useText(adminTexts);
  const href = useHref();
  return (
    <main id="content" className="page flex min-h-svh flex-col py-4">
      <title>{text.admin.title(text.admin.denied.title)}</title>
      <SiteLogo wordmark className="self-start" />
      <EmptyState
        className="m-auto"
        level={1}
        scene={<SceneClosedGate />}
        title={text.admin.denied.title}
        text={text.admin.denied.text}
        action={
          <ButtonLink to={href('/admin-login')} variant="primary">
            {text.admin.denied.action}
          </ButtonLink>
        }
      />
    </main>
  );
}

/**
 * Shows a screen to users with the right to it; to others a text that names the staff roles that have it. No part of a closed screen
 * is mounted.
 */
function Opened({ session, children }: { session: AdminSession; children: ReactNode }) {
  const text = useText(adminTexts);
  const messages = text.admin.closed;
  const href = useHref();
  const screen = screenAt(useLocation().pathname);
  const { may, openTo, staffRoles } = rightsOf(session);
  if (!screen || screen.reads.some(may)) return children;
  const named = (roles: readonly StaffRole[]) => roles.map((role) => text.admin.staffRoles[role]);
  return (
    <>
      <title>{text.admin.title(text.admin.screens[screen.name])}</title>
      <EmptyState
        level={1}
        scene={<SceneClosedGate />}
        title={messages.title(text.admin.screens[screen.name])}
        text={
          <>
            <span className="block">{messages.opens(messages.or(named(openTo(screen.reads))))}</span>
            <span className="mt-1 block">{messages.mine(messages.and(named(staffRoles)))}</span>
          </>
        }
        action={
          <ButtonLink to={href('/admin')} variant="primary">
            {messages.action}
          </ButtonLink>
        }
      />
    </>
  );
}

/** Bar, navigation and content of every screen; `bare` omits the navigation. */
function Shell({ session, bare = false, children }: { session: AdminSession; bare?: boolean; children: ReactNode }) {
  const text = useText(adminTexts);
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu.
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className={bare ? 'admin-bare' : 'admin-shell'}>
      <a href="#content" className="skip-link">
        {text.nav.skip}
      </a>
      {bare ? null : (
        <aside className="admin-side">
          <SideMenu />
        </aside>
      )}
      <header className="admin-bar">
        {bare ? null : (
          <IconButton
            label={text.admin.openMenu}
            className="admin-burger"
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <MenuIcon aria-hidden="true" />
          </IconButton>
        )}
        <Brand className={bare ? 'flex items-center' : 'admin-bar-logo max-xs:hidden'} />
        {bare ? null : <AdminSearch />}
        <AccountBar email={session.email} bare={bare} />
      </header>
      <Main className="admin-main">
        {session.paused ? <PausedNote paused={session.paused} /> : null}
        {children}
      </Main>
      <LeaveGuard />
      {bare ? null : (
        <Sheet open={open} onClose={() => setOpen(false)} title={text.admin.nav} closeLabel={text.admin.closeMenu}>
          <p className="mb-4 px-3 text-sm break-words text-quiet sm:hidden">{session.email}</p>
          <Navigation onFollow={() => setOpen(false)} />
          <div className="mt-4 flex items-center gap-2 md:hidden">
            <ThemeToggle labels={text.nav.theme} />
            <OtherLanguage />
          </div>
        </Sheet>
      )}
    </div>
  );
}

/** Warns that this installation is paused: it sends nothing to the outside. */
function PausedNote({ paused }: { paused: NonNullable<AdminSession['paused']> }) {
  const messages = useText(adminTexts).admin.paused;
  return (
    <Banner className="grid gap-1 border-b">
      <p className="font-semibold">{messages.title}</p>
      <p>
        {messages.reasons[paused.reason]} {messages.text} <code className="break-words">npm run florka -- resume</code>
      </p>
    </Banner>
  );
}

function Brand({ className }: { className: string }) {
  const text = useText(adminTexts);
  const href = useHref();
  return (
    <Link to={href('/admin')} className={className} aria-label={`${text.brand.name}: ${text.admin.name}`}>
      <SiteLogo wordmark decorative />
    </Link>
  );
}

/** Number of items that wait on a screen; renders nothing until it is loaded. */
function Waits({ of: counts, screen }: { of: ReturnType<typeof useWaitingCounts>; screen: ScreenName }) {
  const messages = useText(adminTexts).admin;
  const locale = useLocale();
  const count = counts?.[screen];
  if (!count) return null;
  return (
    <span className="admin-waits figures">
      <span aria-hidden="true">{boundedCount(count, locale)}</span>
      <span className="visually-hidden">{messages.waiting(boundedCount(count, locale))}</span>
    </span>
  );
}

/** The menu of wide screens: as high as the room that an announcement above the page leaves. */
function SideMenu() {
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const adjust = () => {
      const { current } = side;
      if (current) current.style.maxHeight = `${innerHeight - Math.max(0, current.getBoundingClientRect().top)}px`;
    };
    // Called at once, and when an announcement appears or goes.
    const observer = new ResizeObserver(adjust);
    observer.observe(document.body);
    addEventListener('scroll', adjust, { passive: true });
    addEventListener('resize', adjust);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', adjust);
      removeEventListener('resize', adjust);
    };
  }, []);
  return (
    <div ref={side} className="admin-side-inner">
      <Brand className="mb-3 flex min-h-11 items-center gap-2 px-3" />
      <Navigation />
    </div>
  );
}

/** Distance of the current entry from the ends of the menu, so that their shadow does not cover it. Pixels. */
const END = 24;

function Navigation({ onFollow }: { onFollow?: () => void }) {
  const waiting = useWaitingCounts();
  const messages = useText(adminTexts).admin;
  const href = useHref();
  const id = useId();
  const { may } = useRights();
  const current = screenAt(useLocation().pathname)?.name;
  const menu = useRef<HTMLElement>(null);
  // The menu is longer than many screens are high.
  useEffect(() => {
    if (!current) return;
    const link = menu.current?.querySelector('[aria-current]');
    const side = menu.current?.closest('.admin-side-inner');
    if (!link || !side) return;
    // Not scrollIntoView: it also scrolls the page, where an announcement is above it.
    const { top, bottom } = link.getBoundingClientRect();
    const room = side.getBoundingClientRect();
    side.scrollTop +=
      Math.max(0, bottom + END - Math.min(room.bottom, innerHeight)) + Math.min(0, top - END - room.top);
  }, [current]);
  const groups = NAVIGATION.map(({ group, screens }) => ({
    group,
    screens: screens.filter(({ reads }) => reads.some(may)),
  })).filter(({ screens }) => screens.length > 0);
  return (
    <nav ref={menu} aria-label={messages.nav} className="admin-nav">
      {groups.map(({ group, screens }) => (
        <div key={group}>
          {/* No heading: those of the page would come after it. */}
          <p id={id + group}>{messages.groups[group]}</p>
          <ul aria-labelledby={id + group}>
            {screens.map(({ name, path, icon: Icon }) => (
              <li key={name}>
                <Link
                  to={href(path)}
                  aria-current={name === current ? 'page' : undefined}
                  className="admin-link"
                  onClick={onFollow}
                >
                  <Icon aria-hidden="true" />
                  {messages.screens[name]}
                  <Waits of={waiting} screen={name} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
