import type { ComponentType } from 'react';
import Drawing, { type DrawingProps } from './Drawing.tsx';

/** All drawings; null in the browser's build (vite.config.ts), where the document has those of the first page. */
export const bundledDrawing: ComponentType<DrawingProps> | null = Drawing;
