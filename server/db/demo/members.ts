import { eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { idOf, randomOf } from './random.ts';
import { daysBefore, hoursFrom } from './text.ts';

const NAMES = `
  lunita_dev MarFeriante tito.marionetas ChispaNorte quenero77 LaGuaguaCripto don_efrain nube_rosa PanchoSatelite
  vale.onchain ElCalesitero mica_tokens RumboSur tambora_ok KikiTrompo abuela_nodos SolDeMedianoche juanpa_w3
  MaracaLoca CieloAbierto gato_en_zancos PaulaPapalote HiloRojo nico.cumbia Zarzamora TereTeatrino elmudo_habla
  ChurroConLeche agus_pampa OjoDeVenado caro_lotera MotoMaria TuercaLoca rafa_lunar Guacamaya_88 BrujulaRota
  sofi.sprint ElOrganillo PeluchePirata mangoConSal andina_en_red TrenDeLas3 LaCarpera beto_bloques Yerbatera
  pixel_gaucho CometaRamos flor_de_lonja DobleCapicua NahuelCodes MilongaZero ruidito_blanco lara.ledger ElDeLaRifa
  Pochoclo CaracolVeloz dani_sin_prisa TizaYPizarra ValijaAzul hermana_luz OctavioTitere meli.multisig CandilVerde
  patio_grande Remolino SapoDeFeria tinta_china Chaparrita_dev ElBarbaCripto ruth.rueda CopoDeAzucar jaguar_manso
  LolaLlamadora PuebloChico oso_de_trapo Maru_Mascaras guinda.exe TramoyistaX vecina_del_5 FaroDelFin ChicharraPop
  ivan_hash BailaSolo Sortija_99 LechuzaAtenta malabar_mateo Terremotito GuitarraRota coplera_digital UltimaVuelta`;

export const MEMBER_NAMES = NAMES.trim().split(/\s+/);

/** Age of the youngest account at the start. Days. */
const YOUNGEST = 26;
/** The newest members are unconfirmed; all others are confirmed. */
const UNCONFIRMED = 4;

/** Two members with a pending moderator request, so that the back office has something to decide. */
const MODERATOR_APPLICANTS = new Set(['TereTeatrino', 'LechuzaAtenta']);

export const memberId = (name: string): string => idOf(`member ${name}`);

/** When each member signed up. */
export function memberSince(now: Date): Map<string, Date> {
  const next = randomOf('members');
  return new Map(MEMBER_NAMES.map((name) => [name, daysBefore(now, YOUNGEST + next() * 210)]));
}

/** Members without a password or any other sign-in method, on a domain that receives no mail. */
export async function seedMembers(tx: Tx, now: Date): Promise<void> {
  const since = memberSince(now);
  const waiting = new Set(
    [...since]
      .toSorted(([, a], [, b]) => b.getTime() - a.getTime())
      .slice(0, UNCONFIRMED)
      .map(([name]) => name),
  );
  await tx.insert(users).values(
    [...since].map(([username, createdAt], index) => ({
      id: memberId(username),
      name: username,
      email: `miembro${index + 1}@demo.florka.example`,
      emailVerified: true,
      confirmedAt: waiting.has(username) ? null : hoursFrom(createdAt, 9),
      username,
      requestModerator: MODERATOR_APPLICANTS.has(username),
      createdAt,
      updatedAt: createdAt,
    })),
  );
  // The trigger sets the current time in profiles.
  await tx
    .update(forumUsers)
    .set({ createdAt: sql`${users.createdAt}` })
    .from(users)
    .where(eq(users.id, forumUsers.newAuthUserId));
}
