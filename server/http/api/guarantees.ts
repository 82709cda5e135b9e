// What a procedure guarantees before its handler runs, declared where the procedure is: who may call it, how it is confirmed,
// how often it may be called. Each guarantee is a middleware that can say what it does; guarantees.test.ts lists them all.
import type { Context as AnyContext, MiddlewareNextFn, MiddlewareResult } from '@orpc/server';
import type { SolvedChallenge } from '#contract/domains/token-requests.ts';
import { LIMITS, type Limit } from '#contract/limits.ts';
import type { Context } from '#server/http/context.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { passAnonymousWrite } from '#server/lib/rate-limits/challenge.ts';
import { addressLimits, consumeRateLimits, type LimitUse } from '#server/lib/rate-limits/rate-limit.ts';
import { consumeSearchLimit } from '#server/lib/rate-limits/search-limits.ts';
import type { Viewer } from '#server/lib/viewer.ts';

type Nothing = Record<never, never>;
type Next<Out> = MiddlewareNextFn<Out>;

/** Where a middleware keeps what it guarantees, in words. */
const DECLARED = Symbol.for('florka.guarantees');

/** Adds to a middleware what it guarantees, in words for the list of guarantees. */
export const declares = <M extends (...input: never[]) => unknown>(words: readonly string[], middleware: M): M =>
  Object.assign(middleware, { [DECLARED]: words });

/**
 * Only about oneself: callers that send the id of a member may send their own. Before limits, so that a refused call does not
 * count.
 *
 * @param idsOf the members that the input names.
 * @throws FORBIDDEN
 */
export const aboutOneself = <In>(idsOf: (input: In) => readonly (string | undefined)[]) =>
  declares(
    ['about oneself'],
    async <Out>(
      { context, next }: { context: Context & { me: Viewer }; next: Next<Out> },
      input: In,
    ): Promise<MiddlewareResult<Nothing, Out>> => {
      for (const id of idsOf(input)) if (id !== undefined && id !== context.me.id) fail('FORBIDDEN');
      return next();
    },
  );

/** A rate limit that is taken before the handler runs. */
interface Rule<C, In> {
  words: string;
  takes(context: C, input: In): LimitUse[];
}

const formatLimit = ({ hits, seconds }: Limit): string => `${hits} in ${seconds} s`;

/**
 * Counts calls of a member.
 *
 * @param name what is counted, such as 'unvote'; procedures that share a name share the count.
 * @param of something in the input that is counted apart.
 */
export const perMember = <In>(name: string, limit: Limit, of?: (input: In) => string): Rule<{ me: Viewer }, In> => ({
  words: `limit ${name}: ${formatLimit(limit)} for each member${of ? ' and subject' : ''}`,
  takes: ({ me }, input) => [{ key: of ? `${name}:${me.id}:${of(input)}` : `${name}:${me.id}`, limit }],
});

/** Counts calls from an address, and with larger allowances from its networks. @param of as with perMember. */
export const perAddress = <In>(name: string, limit: Limit, of?: (input: In) => string): Rule<Context, In> => ({
  words: `limit ${name}: ${formatLimit(limit)} for each address${of ? ' and subject' : ''}`,
  takes: ({ address }, input) => addressLimits(of ? `${name}:${of(input)}` : name, address, limit),
});

/**
 * Takes limits before the handler runs, all of them in one statement; a refused call counts as well.
 *
 * @throws RATE_LIMITED
 */
export const limit = <C, In>(...rules: Rule<C, In>[]) =>
  declares(
    rules.map(({ words }) => words),
    async <Out>(
      { context, next }: { context: Context & C; next: Next<Out> },
      input: In,
    ): Promise<MiddlewareResult<Nothing, Out>> => {
      const takes = rules.flatMap((rule) => rule.takes(context, input));
      await consumeRateLimits(context.db, takes, context.now());
      return next();
    },
  );

/**
 * Declares limits that the service has to take itself, and hands them down as `context.limits`: within a statement or
 * transaction of its own, by a key that only it knows, or after a check that must come first.
 */
export const handsDown = <const Limits extends Record<string, Limit>>(limits: Limits) =>
  declares(
    Object.entries(limits).map(([name, one]) => `limit ${name}: ${formatLimit(one)}, taken by the service`),
    async <Out>({
      next,
    }: {
      context: AnyContext;
      next: Next<Out>;
    }): Promise<MiddlewareResult<{ limits: Limits }, Out>> => next({ context: { limits } }),
  );

/**
 * Counts searches, which cost more than lists.
 *
 * @param kindOf `first` for the first page of what was found; `more` for the pages behind it, and for searches that run while
 *   somebody types; null for what is no search.
 * @throws RATE_LIMITED
 */
export const limitSearch = <In>(kindOf: (input: In) => 'first' | 'more' | null) =>
  declares(
    [
      `limit search: ${formatLimit(LIMITS.searchAddressMinute)} for each address, ${formatLimit(LIMITS.searchAccountMinute)} for each member`,
    ],
    async <Out>(
      { context, next }: { context: Context; next: Next<Out> },
      input: In,
    ): Promise<MiddlewareResult<Nothing, Out>> => {
      const kind = kindOf(input);
      if (kind) await consumeSearchLimit(context, kind);
      return next();
    },
  );

/**
 * Lets guests write; while many of them do, only with a solved challenge.
 *
 * @throws CHALLENGE_NEEDED with a challenge to solve.
 */
export const challengesGuests = <In>(solvedIn: (input: In) => SolvedChallenge | undefined) =>
  declares(
    ['challenge for guests while many write'],
    async <Out>(
      { context, next }: { context: Context; next: Next<Out> },
      input: In,
    ): Promise<MiddlewareResult<Nothing, Out>> => {
      const { db, secret, address } = context;
      if (!(await context.viewer()))
        await passAnonymousWrite({ db, secret, address, now: context.now(), solved: solvedIn(input) });
      return next();
    },
  );
