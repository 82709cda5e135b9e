import type { PriceHistory } from '#contract/domains/market.ts';
import type { NewsItem } from '#contract/domains/news.ts';
import type { LaunchProof } from '#contract/domains/next-projects.ts';
import type { VoteTicket } from '#contract/domains/race.ts';
import type { SiteNotices } from '#contract/domains/settings.ts';
import type { Token } from '#contract/domains/tokens.ts';
import type { Candidate, Ranking } from '#contract/domains/voting.ts';
import { RANKING_MAX } from '#contract/limits.ts';
import { compact, marketCap } from '#contract/text/figures.ts';
import { isLaunchOver, launchTime } from '#contract/text/launch-time.ts';
import { plainText } from '#contract/text/markup.ts';
import { drawBadge } from './badge.ts';
import { cut } from './card.ts';
import type { CardFacts } from './card-drawing.ts';
import { cardTextsOf, type Language } from './card-texts.ts';
import { type Read, ShareMoved, ShareNotFound } from './shared-document.ts';

interface Standing {
  place: number;
  of: number;
  round: Ranking['round'];
  candidate: Candidate;
}
/** Language and texts of a card, and the site's name and mark. */
interface CardLanguage {
  language: Language;
  text: ReturnType<typeof cardTextsOf>;
  brand: Pick<CardFacts, 'siteName' | 'markAddress'>;
}
type CardBody = Pick<CardFacts, 'kicker' | 'stub' | 'figures' | 'curve' | 'note'>;

const TEXT_ONLY: Pick<CardFacts, 'stub' | 'figures' | 'curve' | 'note' | 'imageAddress' | 'symbol'> = {
  stub: null,
  figures: [],
  curve: null,
  note: '',
  imageAddress: null,
  symbol: null,
};

const proofKind = (proof: LaunchProof) => (proof.by === 'chain' ? (proof.test ? 'test' : 'chain') : proof.by);

/** Figures with a source; unknown ones are omitted. */
function known(token: Token, { language, text }: CardLanguage): CardBody['figures'] {
  const figures: CardBody['figures'] = [];
  if (token.sources.marketCap && token.marketCap !== null)
    figures.push({ value: marketCap(token.marketCap, language), name: text.marketCap });
  if (token.sources.holders && token.holdersCount !== null)
    figures.push({ value: compact(token.holdersCount, language), name: text.holders });
  return figures;
}

const progress = (token: Token, { text }: CardLanguage): CardBody['figures'] =>
  token.progressPercentage === null
    ? []
    : [
        {
          value: new Intl.NumberFormat(text.locale, { style: 'percent' }).format(token.progressPercentage / 100),
          name: text.progress,
        },
      ];

const isOver = (token: Token) => token.launch !== null && isLaunchOver(token.launch, Date.parse(token.serverTime));

/** The state on the badge of a token that is not a candidate. */
function badgeOf(token: Token) {
  if (!token.launch) return 'project';
  if (token.launch.isVotingWinner) return 'winner';
  return isOver(token) ? 'launch' : 'upcoming';
}

/** The card of a launch: its date on the stub. */
function launchCard(token: Token, launch: NonNullable<Token['launch']>, cardLanguage: CardLanguage): CardBody {
  const { text } = cardLanguage;
  const starts = launchTime(launch);
  const over = isOver(token);
  const named = over ? text.launched : text.launches;
  return {
    kicker: launch.isVotingWinner ? text.winner : over ? text.launch : text.upcoming,
    stub: starts ? { value: text.date(new Date(starts)), name: named } : null,
    figures: [...known(token, cardLanguage), ...progress(token, cardLanguage)],
    curve: null,
    // Next to "launched" the evidence for it is shown.
    note: [starts ? text.moment(new Date(starts)) : '', over ? text.proof[proofKind(launch.proof)] : '']
      .filter(Boolean)
      .join(' · '),
  };
}

/** The ticket of a vote with the vote's state; does not identify the voter. */
function ticketFacts(ticket: VoteTicket, { text, brand }: CardLanguage): CardFacts {
  return {
    ...brand,
    kicker: text.ticket.kicker(ticket.round),
    title: ticket.tokenName,
    text: `$${ticket.tokenSymbol}`,
    stub: { value: text.whole(ticket.number), name: text.ticket.number },
    figures: [{ value: `#${ticket.rank}`, name: text.ticket.rank }],
    curve: null,
    note: [text.date(new Date(ticket.day)), text.ticket.states[ticket.state]].filter(Boolean).join(' · '),
    imageAddress: ticket.imageUrl,
    symbol: ticket.tokenSymbol,
    id: ticket.candidateId,
  };
}

/**
 * Creates the contents of cards and badges from what an anonymous visitor may currently read.
 *
 * @param absolute returns the absolute URL of a path. @param site returns the current name and mark of the site.
 */
export function createCardContents(read: Read, absolute: (path: string) => string, site: () => SiteNotices['site']) {
  const languageOf = (language: Language): CardLanguage => ({
    language,
    text: cardTextsOf(language, site().name),
    brand: { siteName: site().name, markAddress: site().mark },
  });

  /** Finds a token by its name in paths. @throws ShareMoved when its canonical name is another one. */
  async function tokenOf(name: string, at: (name: string) => string): Promise<Token> {
    const token = await read<Token>(`/tokens/${name}`);
    const canonical = token.tokenSlug ?? token.id;
    if (canonical === name) return token;
    // If the canonical name leads to another record, this token is only reachable by its id.
    const there = await read<Token>(`/tokens/${encodeURIComponent(canonical)}`).catch((error: unknown) => {
      if (error instanceof ShareNotFound) return null;
      throw error;
    });
    if (there?.id === token.id) throw new ShareMoved(at(encodeURIComponent(canonical)));
    return token;
  }

  /** Rank of a candidate; null if it is not in the ranking. */
  async function readRank(token: Token): Promise<Standing | null> {
    if (token.kind !== 'candidate') return null;
    const ranking = await read<Ranking>(`/candidates?limit=${RANKING_MAX}`);
    const index = ranking.items.findIndex(({ id }) => id === token.id);
    const candidate = ranking.items[index];
    return candidate ? { place: index + 1, of: ranking.total, round: ranking.round, candidate } : null;
  }

  /** The recorded prices of a month; empty if there are too few for a line. */
  async function prices(token: Token): Promise<number[]> {
    if (!token.pricesSince) return [];
    const { points } = await read<PriceHistory>(`/tokens/${token.kind}/${token.id}/prices?range=month`);
    const known = points.flatMap(({ price }) => (price === null ? [] : [price]));
    return known.length > 1 ? known : [];
  }

  /** The card of a candidate: rank on the stub, votes and their trend, end of the round. */
  function candidateCard(token: Token, stand: Standing | null, { text }: CardLanguage): CardBody {
    const { whole } = text;
    const votes = { value: whole(token.totalVotes), name: text.votes(token.totalVotes) };
    return {
      kicker: text.candidate(stand?.round?.number ?? null),
      stub: stand ? { value: `#${stand.place}`, name: text.of(whole(stand.of)) } : votes,
      figures: stand ? [votes, { value: `+${whole(token.votesToday)}`, name: text.today }] : [],
      curve: stand?.candidate.trend.some((count) => count > 0)
        ? { values: stand.candidate.trend, name: text.votesCurve(stand.candidate.trend.length), today: true }
        : null,
      note: stand?.round ? text.closes(text.moment(new Date(stand.round.closesAt))) : '',
    };
  }

  return {
    async token(name: string, language: Language): Promise<CardFacts> {
      const messages = languageOf(language);
      const { text } = messages;
      const token = await tokenOf(name, (right) => `/og/${language}/token/${right}.png`);
      const texts = {
        ...messages.brand,
        title: token.tokenName,
        text: token.description ?? '',
        imageAddress: token.imageUrl,
        symbol: token.tokenSymbol,
        id: token.id,
      };
      if (token.kind === 'candidate') return { ...texts, ...candidateCard(token, await readRank(token), messages) };
      if (token.launch) return { ...texts, ...launchCard(token, token.launch, messages) };
      const values = await prices(token);
      const [first, ...others] = [...known(token, messages), ...progress(token, messages)];
      return {
        ...texts,
        kicker: text.project,
        stub: first ?? null,
        figures: others,
        curve: values.length > 0 ? { values, name: text.priceCurve, today: false } : null,
        note: text.since(text.date(new Date(token.createdAt))),
      };
    },

    async news(id: string, language: Language): Promise<CardFacts> {
      const { text, brand } = languageOf(language);
      const item = await read<NewsItem>(`/news/${id}`);
      return {
        ...brand,
        kicker: item.publishedAt ? `${text.news} · ${text.date(new Date(item.publishedAt))}` : text.news,
        title: item.title,
        text: plainText(item.content),
        ...TEXT_ONLY,
        id: item.id,
      };
    },

    ticket: async (id: string, language: Language): Promise<CardFacts> =>
      ticketFacts(await read<VoteTicket>(`/tickets/${id}`), languageOf(language)),

    site(language: Language): CardFacts {
      const { text, brand } = languageOf(language);
      return { ...brand, ...text.site, ...TEXT_ONLY, id: '' };
    },

    async badge(name: string, language: Language): Promise<string> {
      const token = await tokenOf(name, (right) => `/badge/${language === 'en' ? 'en/' : ''}${right}.svg`);
      const stand = await readRank(token);
      const { text } = languageOf(language);
      const votes = `${text.whole(token.totalVotes)} ${text.votes(token.totalVotes)}`;
      const right = stand
        ? `#${stand.place} · ${votes}`
        : token.kind === 'candidate'
          ? votes
          : text.badge[badgeOf(token)];
      const page = `${language === 'en' ? '/en' : ''}/token/${encodeURIComponent(token.tokenSlug ?? token.id)}`;
      return drawBadge(`${site().name} · $${cut(token.tokenSymbol, 12) || '?'}`, right, absolute(page));
    },
  };
}
