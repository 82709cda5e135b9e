import { defineMessages } from './define-messages.ts';

/** What is known of a launch beside the clock, and how its hour changed. */
export const launchTexts = defineMessages({
  es: {
    launching: {
      chain: (block: string | null) => (block ? `Demostrado en la cadena, bloque ${block}` : 'Demostrado en la cadena'),
      test: (block: string | null) =>
        block ? `En una cadena de pruebas, bloque ${block}` : 'En una cadena de pruebas',
      team: 'Lo dice el equipo, sin demostrar',
      none: 'Sin demostrar',
      chainLong: 'Su token está en la cadena: lo creó Florka y leyó después lo creado.',
      testLong: 'Su token está en una cadena de pruebas, o se pagó en una simulación: no tiene valor.',
      teamLong: 'Quien lleva el sitio dice que se ha lanzado. Ningún dato de la cadena lo demuestra aquí.',
      noneLong: 'La hora anunciada ha llegado. Nadie ha dicho ni demostrado aquí que se haya lanzado.',
      transaction: 'Ver la transacción',
      changes: 'Cambios de la hora anunciada',
      changed: 'cambiada el',
      was: 'antes',
      becomes: 'después',
      noHour: 'sin hora',
    },
  },
  en: {
    launching: {
      chain: (block) => (block ? `Proven on the chain, block ${block}` : 'Proven on the chain'),
      test: (block) => (block ? `On a test chain, block ${block}` : 'On a test chain'),
      team: 'Said by the team, not proven',
      none: 'Not proven',
      chainLong: 'Its token is on the chain: Florka made it and read back what was made.',
      testLong: 'Its token is on a test chain, or was paid for in a simulation: it has no value.',
      teamLong: 'Those who run the site say that it has launched. Nothing from the chain proves it here.',
      noneLong: 'The announced hour has come. Nobody has said or proven here that it launched.',
      transaction: 'See the transaction',
      changes: 'Changes of the announced hour',
      changed: 'changed on',
      was: 'before',
      becomes: 'after',
      noHour: 'no hour',
    },
  },
});
