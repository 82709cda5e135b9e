import { loadDisposableDomains } from '#server/domains/vote-review/disposable-domains.ts';
import type { ReviewMember, ReviewVote } from '#server/domains/vote-review/review-window.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import type { Random } from './random.ts';

const isDisposableDomain = await loadDisposableDomains();

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Where somebody votes from: hashes stand for networks, nearest first. */
export type Networks = readonly string[];

export interface NewMember {
  since: number;
  email?: string;
  active?: boolean;
  votedBefore?: number | null;
}

/** A vote with what only the generator knows. */
export interface LabelledVote extends ReviewVote {
  pattern: string;
  bought: boolean;
}

/** What the patterns write into. */
export interface Population {
  random: Random;
  /** When the round opens, and for how many days votes are made. */
  start: number;
  days: number;
  candidates: readonly string[];
  /** Candidates that only those vote for who are not in the figures: what is not found must not hide what is. */
  apart: readonly string[];
  /** Rather the first candidates, as people do. */
  popular(): string;
  member(over: NewMember): ReviewMember;
  ipv4(): Networks;
  ipv6(): Networks;
  /** Casts a vote unless this member voted for the candidate that day, or the moment lies outside of the round. */
  vote(member: ReviewMember, candidateId: string, at: number, networks: Networks): void;
}

const DOMAINS = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.es',
  'icloud.com',
  'proton.me',
];

/** An empty population; `labelled` collects what each pattern makes under the pattern's name. */
export function createPopulation(random: Random, start: number, days: number) {
  const votes: LabelledVote[] = [];
  const cast = new Set<string>();
  let label = { pattern: '', bought: false };
  let serial = 0;
  const candidates = Array.from({ length: 12 }, (_, i) => `candidate-${String(i + 1).padStart(2, '0')}`);
  const apart = Array.from({ length: 10 }, (_, i) => `candidate-apart-${i + 1}`);
  const hex = (length: number) =>
    random
      .int(2 ** 30)
      .toString(16)
      .padStart(8, '0')
      .slice(-length);
  const population: Population = {
    random,
    start,
    days,
    candidates,
    apart,
    popular: () => candidates[Math.min(candidates.length - 1, Math.floor(random.exponential(3)))] as string,
    member({ since, email, active = false, votedBefore = null }) {
      const id = `member-${++serial}`;
      const address = email ?? `${random.letters(3 + random.int(9))}${random.int(9_999)}@${random.pick(DOMAINS)}`;
      const mailbox = normalizeMailbox(address);
      const mailDomain = mailbox.slice(mailbox.indexOf('@') + 1);
      return { id, since, mailbox, mailDomain, disposable: isDisposableDomain(mailDomain), active, votedBefore };
    },
    ipv4: () => {
      const net = `4:${hex(6)}`;
      return [`${net}.${random.int(256)}`, net];
    },
    ipv6: () => {
      const site = `6:${hex(8)}`;
      const home = `${site}:${hex(2)}`;
      return [`${home}${hex(2)}`, home, site];
    },
    vote(member, candidateId, at, networks) {
      const day = Math.floor(at / DAY);
      const key = `${member.id}:${candidateId}:${day}`;
      if (at < start || at >= start + days * DAY || cast.has(key)) return;
      cast.add(key);
      votes.push({ id: votes.length + 1, candidateId, member, at: Math.round(at), day, networks, ...label });
    },
  };
  return {
    population,
    votes,
    labelled(pattern: string, bought: boolean, make: (population: Population) => void) {
      label = { pattern, bought };
      make(population);
    },
  };
}

/** A moment of a day at which people are awake, rather in the evening. */
export function wakingMoment(random: Random): number {
  const hour = random.chance(0.55) ? random.normal(20.5, 1.8) : random.normal(14, 3.5);
  return ((hour + 24) % 24) * HOUR;
}
