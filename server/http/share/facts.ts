import { RANKING_MAX } from '#contract/limits.ts';
import { plainText } from '#contract/markup.ts';
import type { NewsItem } from '#contract/news.ts';
import type { Token } from '#contract/tokens.ts';
import type { Ranking } from '#contract/voting.ts';
import { drawBadge } from './badge.ts';
import { cut } from './card.ts';
import type { CardFacts } from './drawing.ts';
import { Moved, Nothing, type Read } from './shared.ts';
import { type Language, words } from './words.ts';

/**
 * What cards and badges say, as a visitor may read it now.
 *
 * @param absolute the whole address of a path of the site.
 */
export function createFacts(read: Read, absolute: (path: string) => string) {
  /** The token of a name. @throws Moved when this is not the name that its addresses carry. */
  async function tokenOf(name: string, at: (name: string) => string): Promise<Token> {
    const token = await read<Token>(`/tokens/${name}`);
    const canonical = token.tokenSlug ?? token.id;
    if (canonical === name) return token;
    // Where that name leads to another record, this one has no address but its id.
    const there = await read<Token>(`/tokens/${encodeURIComponent(canonical)}`).catch((error: unknown) => {
      if (error instanceof Nothing) return null;
      throw error;
    });
    if (there?.id === token.id) throw new Moved(at(encodeURIComponent(canonical)));
    return token;
  }

  /** Where a candidate stands; null for what is not in the running. */
  async function standing(token: Token): Promise<{ place: number; of: number; round: number | null } | null> {
    if (token.kind !== 'candidate') return null;
    const ranking = await read<Ranking>(`/candidates?limit=${RANKING_MAX}`);
    const index = ranking.items.findIndex(({ id }) => id === token.id);
    return index < 0 ? null : { place: index + 1, of: ranking.total, round: ranking.round?.number ?? null };
  }

  return {
    async token(name: string, language: Language): Promise<CardFacts> {
      const text = words[language];
      const token = await tokenOf(name, (right) => `/og/${language}/token/${right}.png`);
      const stand = await standing(token);
      const { launch } = token;
      const starts = launch?.countdownEnd ?? launch?.launchDate ?? null;
      const { whole } = text;
      return {
        kicker: launch?.isVotingWinner
          ? text.winner
          : launch
            ? text.launch
            : token.kind === 'candidate'
              ? text.candidate(stand?.round ?? null)
              : text.project,
        title: token.tokenName,
        text: token.description ?? `$${token.tokenSymbol}`,
        figures: launch
          ? starts
            ? [
                {
                  value: text.date(new Date(starts)),
                  name: launch.status === 'launched' ? text.launched : text.launches,
                },
              ]
            : []
          : stand
            ? [
                { value: `#${stand.place}`, name: text.of(whole(stand.of)) },
                { value: whole(token.totalVotes), name: text.votes(token.totalVotes) },
              ]
            : [],
        pictureAddress: token.imageUrl,
        symbol: token.tokenSymbol,
        seed: token.id,
      };
    },

    async news(id: string, language: Language): Promise<CardFacts> {
      const text = words[language];
      const item = await read<NewsItem>(`/news/${id}`);
      return {
        kicker: item.publishedAt ? `${text.news} · ${text.date(new Date(item.publishedAt))}` : text.news,
        title: item.title,
        text: plainText(item.content),
        figures: [],
        pictureAddress: null,
        symbol: null,
        seed: item.id,
      };
    },

    site: (language: Language): CardFacts => ({
      ...words[language].site,
      figures: [],
      pictureAddress: null,
      symbol: null,
      seed: '',
    }),

    async badge(name: string, language: Language): Promise<string> {
      const token = await tokenOf(name, (right) => `/badge/${language === 'en' ? 'en/' : ''}${right}.svg`);
      const stand = await standing(token);
      const text = words[language];
      const votes = `${text.whole(token.totalVotes)} ${text.votes(token.totalVotes)}`;
      const right = stand
        ? `#${stand.place} · ${votes}`
        : token.kind === 'candidate'
          ? votes
          : text.badge[token.launch?.isVotingWinner ? 'winner' : token.launch ? 'launch' : 'project'];
      const page = `${language === 'en' ? '/en' : ''}/token/${encodeURIComponent(token.tokenSlug ?? token.id)}`;
      return drawBadge(`Florka · $${cut(token.tokenSymbol, 12) || '?'}`, right, absolute(page));
    },
  };
}
