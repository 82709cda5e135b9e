import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Locale } from '../format/format.ts';
import { en } from '../messages/en.ts';
import { es } from '../messages/es.ts';
import { localeOf, localize } from './i18n.tsx';

/** The messages of every page, and those of each namespace by its file. */
const modules = import.meta.glob<Record<string, unknown>>('../messages/**/*.ts', { eager: true });
const namespaces = Object.entries(modules).flatMap(([file, module]) =>
  Object.entries(module)
    .filter(([name]) => name.endsWith('Texts'))
    .map(([, messages]) => ({ file, ...(messages as Record<Locale, object>) })),
);
const catalogues = [{ file: 'every page', es, en }, ...namespaces];

/** Texts of the back office that are the same in both languages. */
const ALIKE_IN_BACK_OFFICE = [
  '4. Plan',
  // The specification quotes these.
  'Active Moderators',
  'Admin Login Successful',
  'Admin email not available',
  'Back to Site',
  'Community Forum',
  'Community Overview',
  'Create Token',
  'Dashboard',
  'Forum Posts',
  'Home Projects',
  'Logged Out',
  'Login Error',
  'Login failed - no user returned',
  'Logout Error',
  'News Articles',
  'News Management',
  'Next Projects',
  'No admin session',
  'No admin user',
  'Online Now',
  'PNG, JPG, GIF max 5MB',
  'Pending Requests',
  'Projects',
  'Publication Requests',
  'Sign Out',
  'This account is not authorized for admin access',
  'Token Creation',
  'Tokens',
  'Total Users',
  'Total Votes',
  'User Management',
  'Voting System',
  'You have been logged out successfully',
  // Names, symbols, and words that both languages have.
  '—',
  'BNB Smart Chain',
  'Binance Smart Chain',
  'DexScreener',
  'Discord',
  'Editor',
  'Email',
  'Error',
  'Ethereum',
  'GeckoTerminal',
  'LinkedIn',
  'Marketing',
  'N/A',
  'NEXT',
  'No',
  'Plan',
  'Polygon',
  'Post',
  'Posts',
  'Roles',
  'Solana',
  'Spam',
  'Telegram',
  'Token',
  'Top 3',
  'Twitter',
  'Twitter / X',
  'Visible',
  'Wallet',
  'post',
  'General',
  'Ideas',
  'Whitepapers',
  'dApps',
];

describe('languages in addresses', () => {
  it.each([
    ['/', 'en', '/en'],
    ['/', 'es', '/'],
    ['/en', 'es', '/'],
    ['/en', 'en', '/en'],
    ['/en/', 'es', '/'],
    ['/vote', 'en', '/en/vote'],
    ['/en/vote', 'es', '/vote'],
    ['/en/vote', 'en', '/en/vote'],
    ['/entrance', 'en', '/en/entrance'],
    ['/?tab=new', 'en', '/en?tab=new'],
    ['/token/en/candidate', 'es', '/token/en/candidate'],
  ] as const)('%s in %s is %s', (path, locale, expected) => {
    expect(localize(path, locale)).toBe(expected);
  });

  it('/en?tab=new in es is /?tab=new', () => {
    expect(localize('/en?tab=new', 'es')).toBe('/?tab=new');
  });

  it.each([
    ['/', 'es'],
    ['/en', 'en'],
    ['/en/vote', 'en'],
    ['/entrance', 'es'],
    ['/token/en', 'es'],
  ])('%s is %s', (path, locale) => {
    expect(localeOf(path)).toBe(locale);
  });

  it('return to the same address after a switch to English and back', () => {
    const messages = fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 4 });
    fc.assert(
      fc.property(messages, (parts) => {
        fc.pre(parts[0] !== 'en');
        const path = `/${parts.join('/')}`;
        const english = localize(path, 'en');
        expect(localeOf(english)).toBe('en');
        expect(localize(english, 'en')).toBe(english);
        expect(localize(english, 'es')).toBe(path);
      }),
    );
  });
});

describe('the message catalogues [APP-02] [AMB-209]', () => {
  const texts = (node: unknown, path = ''): [string, string][] =>
    typeof node === 'string'
      ? [[path, node]]
      : typeof node === 'object' && node !== null
        ? Object.entries(node).flatMap(([key, child]) => texts(child, `${path}.${key}`))
        : [];

  it.each(catalogues)('have the same keys in both languages, and texts for the same ones: $file', (messages) => {
    const [spanish, english] = [texts(messages.es), texts(messages.en)];
    const filled = (all: [string, string][]) => all.map(([path, text]) => [path, text.trim() !== '']);
    expect(filled(english)).toEqual(filled(spanish));
  });

  it.each(catalogues)('use the singular for a count of one: $file', (messages) => {
    const many =
      /(^|[^\d.,])1 (news items|votos|votes|usuarios|users|candidat[oe]s|rondas|rounds|redes|networks|d[ií]as|days|horas|hours|minut[oe]s|textos|texts|comentarios|comments|nuevas|proyectos|projects|denuncias|reports|solicitudes|requests|noticias|im[aá]genes|images|sesiones|sessions)\b/;
    /** Messages with a wrong singular; counts are passed as numbers, or formatted already. */
    const wrong = (node: unknown): string[] => {
      if (typeof node !== 'function')
        return typeof node === 'object' && node !== null ? Object.values(node).flatMap(wrong) : [];
      const sentences = [1, '1'].map((count) => {
        try {
          return String(node(count, count, count, count));
        } catch {
          // Functions of dates or lists, not of counts.
          return '';
        }
      });
      return sentences.every((text) => many.test(text)) ? sentences.slice(0, 1) : [];
    };
    expect([...wrong(messages.es), ...wrong(messages.en)]).toEqual([]);
  });

  it.each(namespaces)('of a namespace have no key of those of every page: $file', (messages) => {
    expect(Object.keys(messages.es).filter((key) => key in es)).toEqual([]);
  });

  it('of the back office are Spanish, except those that the specification quotes in English and names that are the same in both [APP-03]', () => {
    const same = namespaces
      .filter(({ file }) => file.includes('/admin/'))
      .flatMap((messages) => {
        const english = new Map(texts(messages.en));
        return texts(messages.es).filter(([path, text]) => english.get(path) === text);
      });
    expect([...new Set(same.map(([, text]) => text))].sort()).toEqual(ALIKE_IN_BACK_OFFICE.toSorted());
  });

  it('keep the exact texts of the specification [VOTE-08..10] [VOTE-12] [ERR-02..11] [ERR-34] [ERR-36..41] [CAND-03..05] [HOME-05] [HOME-13] [HOME-27] [AUTH-21]', () => {
    expect(
      Object.assign({}, ...catalogues.filter(({ file }) => !file.includes('/admin/')).map((messages) => messages.es)),
    ).toMatchObject({
      vote: { error: 'Error al cargar candidatos', empty: 'No hay candidatos disponibles' },
      home: {
        grid: 'Florka Tokens on Solana',
        podiumEmpty: 'No hay proyectos en el Top 3 actualmente.',
        empty: 'No hay proyectos disponibles.',
      },
      token: {
        notFoundTitle: 'Candidato no encontrado',
        notFoundText: 'El candidato que buscas no existe o ha sido desactivado.',
        notFoundAction: 'Volver a Votaciones',
      },
      toast: {
        sessionNeeded: { title: 'Sesión requerida', text: 'Debes iniciar sesión para votar' },
        alreadyVoted: 'Ya has votado',
        noVote: 'No hay voto para eliminar',
        voteCast: { title: '¡Voto registrado!' },
        voteWithdrawn: { title: 'Voto eliminado' },
        voteFailed: 'Error al votar',
        voteSignedOut: 'Debes estar autenticado para votar',
        withdrawFailed: 'Error al eliminar voto',
        signInFailed: 'Error de inicio de sesión',
        unexpected: 'Error inesperado',
        signUpFailed: 'Error de registro',
        signOutFailed: 'Error al cerrar sesión',
        linkAdminFailed: 'Error vinculando perfil de admin',
        linkForumFailed: 'Error vinculando perfil del foro',
        welcome: { title: '¡Bienvenido!', text: 'Has iniciado sesión correctamente.' },
        registered: { title: '¡Registro exitoso!', text: 'Tu cuenta ha sido creada. Ya puedes acceder al foro.' },
        signedOut: { title: 'Sesión cerrada' },
        linked: { title: '¡Perfil vinculado!' },
      },
      failure: {
        NO_USER: 'No hay usuario autenticado',
        ALREADY_VOTED: 'Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.',
        NO_VOTE: 'No tienes un voto registrado para este candidato hoy.',
      },
    });
  });
});

describe('a failed query', () => {
  it('is retried three times, after 1, 2, 4 seconds and so on, 30 at most, and never after a refusal [TIME-26] [TIME-27] [AMB-207]', async () => {
    const { makeQueryClient, retryTimes } = await import('../api/query-client.ts');
    // As in a browser: on the server the query is not repeated.
    vi.stubEnv('SSR', false);
    const { retryDelay } = makeQueryClient().getDefaultOptions().queries ?? {};
    const delays = [0, 1, 2, 3, 4, 5, 9].map((n) =>
      (retryDelay as (n: number, error: Error) => number)(n, new Error()),
    );
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    for (const status of [401, 403, 404, 429]) expect(retryTimes(3)(0, { status })).toBe(false);
    for (const status of [502, 503, 504])
      expect([0, 1, 2, 3].map((failures) => retryTimes(3)(failures, { status }))).toEqual([true, true, true, false]);
    vi.unstubAllEnvs();
  });
});
