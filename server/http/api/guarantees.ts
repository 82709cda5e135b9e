// Guarantees of a procedure before its handler runs, declared at the procedure: access, confirmation, rate limit. Each is a
// middleware with a description; guarantees.test.ts lists them all.
import type { Context as AnyContext, MiddlewareNextFn, MiddlewareResult } from '@orpc/server';
import type { SolvedChallenge } from '#contract/fields/challenge.ts';
import { LIMITS, type Limit } from '#contract/limits.ts';
import type { Context } from '#server/http/context.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { passAnonymousWrite } from '#server/lib/rate-limits/challenge.ts';
import { addressLimits, consumeRateLimits, type LimitUse } from '#server/lib/rate-limits/rate-limit.ts';
import { consumeSearchLimit } from '#server/lib/rate-limits/search-limits.ts';
import type { Viewer } from '#server/lib/viewer.ts';

type Nothing = Record<never, never>;
type Next<Out> = MiddlewareNextFn<Out>;

/** The property in which a middleware stores the descriptions of its guarantees. */
const DECLARED = Symbol.for('florka.guarantees');

/** Adds descriptions of its guarantees to a middleware, for the list of guarantees. */
export const declares = <M extends (...input: never[]) => unknown>(descriptions: readonly string[], middleware: M): M =>
  Object.assign(middleware, { [DECLARED]: descriptions });

/**
 * Restricts a call to the caller's own id: clients that send a member's id may send only their own. Runs before the rate
 * limits, so that a refused call is not counted.
 *
 * @param idsOf the members named by the input.
 * @throws FORBIDDEN
 */
export const ownIdsOnly = <In>(idsOf: (input: In) => readonly (string | undefined)[]) =>
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

/** A rate limit that is consumed before the handler runs. */
interface Rule<C, In> {
  description: string;
  takes(context: C, input: In): LimitUse[];
}

const formatLimit = ({ hits, seconds }: Limit): string => `${hits} in ${seconds} s`;

/**
 * A rate limit per member.
 *
 * @param name of the counter, such as 'unvote'; procedures with the same name share it.
 * @param of part of the input that has a counter of its own.
 */
export const perMember = <In>(name: string, limit: Limit, of?: (input: In) => string): Rule<{ me: Viewer }, In> => ({
  description: `limit ${name}: ${formatLimit(limit)} for each member${of ? ' and subject' : ''}`,
  takes: ({ me }, input) => [{ key: of ? `${name}:${me.id}:${of(input)}` : `${name}:${me.id}`, limit }],
});

/** A rate limit per address, and with higher limits for its networks. @param of as in perMember. */
export const perAddress = <In>(name: string, limit: Limit, of?: (input: In) => string): Rule<Context, In> => ({
  description: `limit ${name}: ${formatLimit(limit)} for each address${of ? ' and subject' : ''}`,
  takes: ({ address }, input) => addressLimits(of ? `${name}:${of(input)}` : name, address, limit),
});

/**
 * Consumes rate limits before the handler runs, all of them in one statement; a refused call is counted as well.
 *
 * @throws RATE_LIMITED
 */
export const limit = <C, In>(...rules: Rule<C, In>[]) =>
  declares(
    rules.map(({ description }) => description),
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
 * Declares rate limits that the service consumes itself, and passes them as `context.limits`: within its own statement or
 * transaction, with a key that only the service has, or after a check that must come first.
 */
export const limitedByService = <const Limits extends Record<string, Limit>>(limits: Limits) =>
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
 * Rate limits for searches, which are more expensive than lists.
 *
 * @param kindOf `first` for the first page of results; `more` for further pages, and for search-as-you-type; null when the call
 *   is not a search.
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
 * Lets guests write; while there are many anonymous writes, only with a solved challenge.
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
