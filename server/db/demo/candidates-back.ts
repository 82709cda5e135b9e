import type { DemoCandidate } from './candidates-front.ts';
import { prose } from './text.ts';

export const BACK_CANDIDATES: DemoCandidate[] = [
  {
    name: 'Ventrílocuo',
    symbol: 'VENTRI',
    line: 'La voz sale de otro lado: doblajes comunitarios para videos que nadie tradujo.',
    text: prose`
      Voces voluntarias y pagas doblan tutoriales al español de acá, al quechua y al guaraní. Cada minuto doblado pasa
      por dos oídos antes de publicarse.

      El archivo es abierto y lleva el crédito de cada voz. Ninguna se clona con una máquina: es la única regla que no
      se vota.`,
    from: 0.12,
    to: 0.16,
    ageDays: 44,
  },
  {
    name: 'Carrusel Austral',
    symbol: 'AUSTRAL',
    line: 'Caballitos de lenga y viento sur: intercambio de oficios entre pueblos lejanos.',
    text: prose`
      Hoy arreglas una estufa en Coyhaique, mañana alguien te enseña a hilar en Esquel. El carrusel anota horas, no
      precios, y cualquiera puede subirse.

      Llevan ciento ochenta intercambios a mano, en una planilla. El token es la excusa para que la planilla descanse.`,
    from: 0.18,
    to: 0.11,
    ageDays: 58,
    market: { price: 0.0026, supply: 40_000_000, volume: 1480, holders: 333, liquidity: 54, burnt: 2 },
  },
  {
    name: 'Dominó Caribe',
    symbol: 'DOMINO',
    line: 'Capicúa: torneos de mesa con árbitro humano, música alta y marcador honesto.',
    text: prose`
      Se juega en pareja, se habla con los ojos y se discute después. Dominó Caribe arma ligas por barrio y un ranking
      que no se puede inflar porque cada mesa firma el resultado.

      La final del año pasado reunió a cuarenta parejas. Este año hay lista de espera y un reglamento nuevo sobre
      golpear la mesa.`,
    from: 0.1,
    to: 0.13,
    ageDays: 29,
  },
  {
    name: 'Gaucho Pixel',
    symbol: 'GAUCHO',
    line: 'Treinta y dos por treinta y dos: un juego de llanura hecho a fuego lento.',
    text: prose`
      Un juego libre de arrear, payar y perderse bajo la lluvia. No se compra nada dentro: el token vota los próximos
      paisajes y paga a quienes los dibujan.

      Demo jugable en el navegador, banda sonora con guitarra de verdad y un caballo que se llama Commit.`,
    from: 0.06,
    to: 0.22,
    firstDay: 14,
    ageDays: 15,
    market: { price: 0.000874, supply: 210_000_000, volume: 6033, holders: 508, liquidity: 88, burnt: 0 },
  },
  {
    name: 'Kermés',
    symbol: 'KERMES',
    line: 'Rifa, lotería y cárcel de mentiras: recaudaciones escolares con recibo.',
    text: prose`
      La kermés de la escuela, pero con las cuentas en la puerta. Cada puesto tiene su código y al cerrar se sabe
      cuánto entró y en qué se va a gastar.

      Tres escuelas ya la probaron. La directora de una nos pidió que agregáramos la cárcel de mentiras; está en la
      versión dos.`,
    from: 0.09,
    to: 0.08,
    ageDays: 66,
  },
  {
    name: 'Llama Saltimbanqui',
    symbol: 'SALTO',
    line: 'Escupe spam: un filtro comunitario para los grupos que ya no se pueden leer.',
    text: prose`
      Un bot educado que aprende de los moderadores de cada grupo y comparte lo aprendido. Si se equivoca, pide
      disculpas y devuelve el mensaje.

      The block lists are public and signed, so nobody can quietly silence a competitor. Funciona en nueve grupos
      desde hace dos meses.`,
    from: 0.05,
    to: 0.12,
    firstDay: 12,
    ageDays: 13,
  },
  {
    name: 'Barrilete Cósmico',
    symbol: 'BARRI',
    line: 'Recién llegado a la kermés: fotos estelares tomadas con globos y teléfonos viejos.',
    text: prose`
      Un grupo de secundaria de Tucumán manda teléfonos rescatados a treinta kilómetros de altura y publica lo que
      ven. Ya recuperaron cinco de seis; el sexto lo tiene una vaca, según el rastreador.

      Piden poco y explican mucho. La bitácora de cada vuelo tiene más páginas que algunos libros blancos.`,
    from: 0.01,
    to: 0.19,
    firstDay: 5,
    ageDays: 6,
  },
  {
    name: 'Pulpo Titiritero',
    symbol: 'PULPO',
    line: 'Ocho brazos, ocho hilos: ganó la ronda 6 y ya camina hacia la puerta de lanzamiento.',
    text: prose`
      Ocho oficios detrás de un solo teatrino: guion, voz, luz, talla, costura, música, código y mate. El Pulpo
      coordina compañías pequeñas y reparte cada función según lo que puso cada brazo.

      Ganó la ronda 6 con un cierre de película. Gracias a todos los que pasaron tres noches votando; nos vemos en
      NEXT.`,
    from: 0.46,
    to: 0.58,
    lastDay: 7,
    ageDays: 54,
    inactive: true,
  },
];

/** The candidate that won the round before the open one. */
export const LAST_WINNER = 'Pulpo Titiritero';
