import type { LaunchProof } from '#contract/domains/next-projects.ts';
import { useText } from '../i18n/i18n.tsx';
import { launchTexts } from '../messages/launch.ts';

/**
 * The proof of a launch, shown wherever a launch is called 'Lanzado' (AMB-214).
 * @param long on the token's own page: with an explanation, and the transaction's id when no explorer is configured.
 */
export function LaunchProofLine({ proof, long = false }: { proof: LaunchProof; long?: boolean }) {
  const text = useText(launchTexts);
  const { launching } = text;
  const what = proof.by === 'chain' ? (proof.test ? 'test' : 'chain') : proof.by;
  const proofText = proof.by === 'chain' ? launching[proof.test ? 'test' : 'chain'](proof.block) : launching[proof.by];
  const url = proof.by === 'chain' ? proof.transactionUrl : null;
  if (!long)
    return url ? (
      <a href={url} target="_blank" rel="noopener noreferrer" className="link above">
        {proofText}
        <span className="visually-hidden"> ({text.shared.newTab})</span>
      </a>
    ) : (
      proofText
    );
  return (
    <>
      <span className="block font-semibold text-text">{proofText}</span>
      <span className="block">{launching[`${what}Long`]}</span>
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer" className="link">
          {launching.transaction}
          <span className="visually-hidden"> ({text.shared.newTab})</span>
        </a>
      ) : proof.by === 'chain' ? (
        <span className="figures block wrap-anywhere">{proof.transaction}</span>
      ) : null}
    </>
  );
}
