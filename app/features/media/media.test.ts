import { describe, expect, it } from 'vitest';
import { mediaTexts } from '#app/lib/messages/media.ts';

describe('the texts about images', () => {
  it('are those of the specification [MEDIA-01] [MEDIA-02] [MEDIA-07] [MEDIA-08]', () => {
    expect(mediaTexts.es.media).toMatchObject({
      uploaded: 'Imagen subida exitosamente',
      uploadFailed: { title: 'Error al subir imagen', text: 'No se pudo subir la imagen.' },
      removeFailed: { title: 'Error al eliminar imagen', text: 'No se pudo eliminar la imagen.' },
      failure: {
        FILE_TYPE: 'Tipo de archivo no permitido. Solo se permiten JPG, PNG, WebP y GIF.',
        FILE_TOO_LARGE: 'El archivo es demasiado grande. Máximo 5MB.',
      },
    });
  });
});
