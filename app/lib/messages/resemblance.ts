import { defineMessages } from './define-messages.ts';

/** What a token resembles: for who asks for a publication, and for the team. */
export const resemblanceTexts = defineMessages({
  es: {
    resemblance: {
      kind: { project: 'Proyecto', candidate: 'Candidato', next_project: 'Proyecto NEXT' },
      alike: { name: 'nombre', symbol: 'símbolo', link: 'enlace', contract: 'contrato', picture: 'imagen' },
      in: (what: string) => `Se parece en: ${what}`,
      hidden: 'no es público',
      newTab: '(se abre en otra pestaña)',
      sender: {
        heading: 'Se parece a un token que ya está en Florka',
        text: 'Puede ser casualidad, o el mismo proyecto. Míralo: puedes cambiar lo que coincide o enviarlo así. El equipo lo verá también.',
        submit: 'Lo he mirado, enviar así',
      },
      payer: {
        heading: 'Se parece a un token que ya está en Florka',
        text: 'Puede ser casualidad. Míralo antes de pagar: después ya no puedes cambiarlo. Ahora puedes cambiar lo que coincide, o seguir así.',
        submit: 'Lo he mirado, pagar así',
      },
      team: {
        heading: 'Se parece a',
        title: 'Se parece a otro token',
        text: 'Compara antes de guardar: quien busque el otro podría encontrar este. Queda en la auditoría que lo has mirado.',
        looked: 'Lo he mirado y no suplanta a ninguno.',
        submit: 'Guardar así',
        busy: 'Guardando...',
      },
    },
  },
  en: {
    resemblance: {
      kind: { project: 'Project', candidate: 'Candidate', next_project: 'NEXT project' },
      alike: { name: 'name', symbol: 'symbol', link: 'link', contract: 'contract', picture: 'picture' },
      in: (what) => `Alike in: ${what}`,
      hidden: 'not public',
      newTab: '(opens in another tab)',
      sender: {
        heading: 'It resembles a token that is on Florka already',
        text: 'That may be a coincidence, or the same project. Look at it: you can change what is alike, or send it as it is. The team sees it too.',
        submit: 'I looked at it, send as it is',
      },
      payer: {
        heading: 'It resembles a token that is on Florka already',
        text: 'That may be a coincidence. Look at it before you pay: afterwards you cannot change it. Now you can change what is alike, or go on as it is.',
        submit: 'I looked at it, pay as it is',
      },
      team: {
        heading: 'Resembles',
        title: 'It resembles another token',
        text: 'Compare before you save: somebody who looks for the other one could find this one. The audit log says that you looked.',
        looked: 'I looked at it, and it impersonates none of them.',
        submit: 'Save as it is',
        busy: 'Saving...',
      },
    },
  },
});
