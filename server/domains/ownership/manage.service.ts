import { eq, type SQL, sql } from 'drizzle-orm';
import type { AdminProof } from '#contract/admin/ownership.ts';
import type { ProofInfo } from '#contract/domains/ownership.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { ownershipProofs } from '#server/db/tables/ownership.ts';
import { listRecords, normalizedContains, type SearchCondition, withoutIndex } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { endProof, infoOf, lockOpen, note } from './ownership.service.ts';
import { recordOf } from './records.service.ts';

const JOINS = sql`left join projects p on p.id = o.project_id left join voting_candidates c on c.id = o.candidate_id
  left join next_projects n on n.id = o.next_project_id`;
const NAME = sql`coalesce(p.token_name, c.token_name, n.token_name)`;
const SYMBOL = sql`coalesce(p.token_symbol, c.token_symbol, n.token_symbol)`;

/** Condition for proofs about tokens whose names contain these words; each kind of token by its own index. */
function about(term: string): SearchCondition | undefined {
  const terms = cleanText(term, 'line');
  if (!terms) return undefined;
  const limit = sql`limit ${MANY_FOUND + 1}`;
  const named = (table: SQL, key: SQL) =>
    sql`(select o.id from ownership_proofs o where o.${key} in
      (select t.id from ${table} t where ${normalizedContains(sql`t.search`, terms)} ${limit}))`;
  return {
    ids: sql`${named(sql`projects`, sql`project_id`)} union ${named(sql`voting_candidates`, sql`candidate_id`)}
      union ${named(sql`next_projects`, sql`next_project_id`)}`,
    condition: withoutIndex(normalizedContains(sql`coalesce(p.search, c.search, n.search)`, terms)),
  };
}

/** Proofs for the back office. */
export async function listProofs(
  db: Reader,
  input: { q: string; page: number; size: number; sort: string; state?: AdminProof['state'] | undefined },
): Promise<{ rows: AdminProof[]; total: number }> {
  const parts = {
    from: sql`from ownership_proofs o ${JOINS}`,
    where: [input.state && sql`o.state = ${input.state}`],
    sorts: {
      startedAt: sql`o.started_at`,
      provenAt: sql`o.proven_at`,
      expiresAt: sql`o.expires_at`,
      tokenName: sql`lower(${NAME})`,
    },
    notNull: ['startedAt'],
    tieBreaker: sql`o.id`,
    id: sql`o.id`,
    searchTerms: about(input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db
      .select({
        id: sql`o.id`.mapWith(asText),
        tokenName: NAME.mapWith(asText),
        tokenSymbol: SYMBOL.mapWith(asText),
        startedBy: sql`(select coalesce(f.username, left(u.id::text, 8)) from users u
          left join forum_users f on f.new_auth_user_id = u.id where u.id = o.started_by)`.mapWith(orNull(asText)),
        proof: ownershipProofs,
      })
      .from(sql`ownership_proofs o ${JOINS}`)
      .innerJoin(ownershipProofs, eq(ownershipProofs.id, sql`o.id`))
      .where(where)
      .orderBy(orderBy),
  );
  return {
    rows: rows.map(({ proof, tokenName, tokenSymbol, startedBy }) => {
      const { kind, id } = recordOf(proof);
      return { ...infoOf(proof), kind, recordId: id, tokenName, tokenSymbol, startedBy };
    }),
    total,
  };
}

/** Withdraws a proof, with the reason in the audit log; the job notifies followers and creator. @throws NOT_FOUND */
export function withdrawProof(db: Db, by: Editor, { id, reason }: { id: string; reason: string }): Promise<ProofInfo> {
  return db.transaction(async (tx) => {
    const proof = await endProof(tx, await lockOpen(tx, id), by, 'withdrawn');
    await note(tx, by.actor, 'proof.withdrawn', proof, { reason });
    return infoOf(proof);
  });
}
