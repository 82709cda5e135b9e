import { createElement, type FC, type SVGProps } from 'react';

/** An icon of the library: its name, and the elements of its drawing with their attributes. */
interface IconData {
  name: string;
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
  aliases?: readonly string[];
}

/**
 * Creates the component of an icon, in the place of the library's function of the same purpose, in browsers: the same element
 * without options that this app does not use (a context, strokes that do not scale), which were more code than the icons of a page.
 */
export default function createIcon({ name, node, aliases = [] }: IconData): FC<SVGProps<SVGSVGElement>> {
  const classes = ['lucide', ...[name, ...aliases].map((one) => `lucide-${one}`)].join(' ');
  const children = node.map(([tag, attributes]) => createElement(tag, attributes));
  return ({ className, ...others }) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: className ? `${classes} ${className}` : classes,
        // Hidden from screen readers, unless it has ARIA attributes, a role or a title.
        ...(Object.keys(others).some((one) => /^(aria-|role$|title$)/.test(one)) ? {} : { 'aria-hidden': true }),
        ...others,
      },
      children,
    );
}
