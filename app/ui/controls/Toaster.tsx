import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';
import { TIMING } from '#contract/limits.ts';

const classes = {
  '--width': '24rem',
  '--border-radius': '14px',
  '--normal-bg': 'var(--color-panel)',
  '--normal-border': 'var(--color-line)',
  '--normal-text': 'var(--color-text)',
  '--success-bg': 'var(--color-panel)',
  '--success-border': 'var(--color-mint)',
  '--success-text': 'var(--color-text)',
  '--error-bg': 'var(--color-panel)',
  '--error-border': 'var(--color-coral)',
  '--error-text': 'var(--color-text)',
  '--info-bg': 'var(--color-panel)',
  '--info-border': 'var(--color-sky)',
  '--info-text': 'var(--color-text)',
  '--warning-bg': 'var(--color-panel)',
  '--warning-border': 'var(--color-lead)',
  '--warning-text': 'var(--color-text)',
  fontFamily: 'var(--font-sans)',
} as CSSProperties;

/**
 * The toast area: one at a time, for five seconds or until it is swiped or clicked away; F8 moves the focus to it. Once per document;
 * load it lazily, nothing needs it before the first action. `label` names the region, `closeLabel` its button.
 */
export default function Toaster({ label, closeLabel }: { label: string; closeLabel: string }) {
  return (
    <Sonner
      containerAriaLabel={label}
      hotkey={['F8']}
      visibleToasts={1}
      duration={TIMING.toast}
      position="bottom-right"
      mobileOffset="0.75rem"
      richColors
      closeButton
      style={classes}
      toastOptions={{ style: { fontSize: '0.9375rem' }, closeButtonAriaLabel: closeLabel }}
    />
  );
}
