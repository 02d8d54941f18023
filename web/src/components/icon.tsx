import { Dynamic } from 'solid-js/web';
import type { JSX } from 'solid-js';

/** Marks on a 16 px grid, drawn in lines of the current colour. */
const marks = {
  jobs: () => <path d="M2.5 4h11M2.5 8h7.5M2.5 12h9.5" />,
  submit: () => (
    <path d="M8 10.5v-8M5 5.3l3-3 3 3M2.5 9.5V12A1.5 1.5 0 0 0 4 13.5h8a1.5 1.5 0 0 0 1.5-1.5V9.5" />
  ),
  upscale: () => (
    <>
      <rect x="2" y="8.5" width="5.5" height="5.5" rx="1" />
      <path d="M5 5.5V4a2 2 0 0 1 2-2h5a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-1.5M11.2 4.8 8.6 7.4M9 4.6h2.4V7" />
    </>
  ),
  train: () => <path d="M2 2.5v11h12M4.5 4.5c1 5 3.5 6 9 6.3" />,
  pulse: () => <path d="M1.5 8.5h3l1.8-5 3 9 1.8-4h3.4" />,
  check: () => <path d="m3.5 8.5 3 3 6-7" />,
  cross: () => <path d="m4 4 8 8m0-8-8 8" />,
  alert: () => <path d="M8 2 1.8 13.2h12.4zM8 6.6v3M8 11.4v.2" />,
  download: () => (
    <path d="M8 2.5v8m-3-2.8 3 3 3-3M2.5 11.5V12A1.5 1.5 0 0 0 4 13.5h8a1.5 1.5 0 0 0 1.5-1.5v-.5" />
  ),
  copy: () => (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M3.5 10.5A1 1 0 0 1 2.5 9.5v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1" />
    </>
  ),
  stop: () => <rect x="3.5" y="3.5" width="9" height="9" rx="1.5" />,
  trash: () => (
    <path d="M2.5 4h11M6 4V2.5h4V4M4 4l.6 9a1 1 0 0 0 1 1h4.8a1 1 0 0 0 1-1L12 4M6.6 7v4M9.4 7v4" />
  ),
  sun: () => (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
    </>
  ),
  leave: () => (
    <path d="M6.5 2.5H4A1.5 1.5 0 0 0 2.5 4v8A1.5 1.5 0 0 0 4 13.5h2.5M6.5 8h7m-2.7-2.7L13.5 8l-2.7 2.7" />
  ),
  down: () => <path d="M8 3v10m-3.5-3.5L8 13l3.5-3.5" />,
  hourglass: () => (
    <path d="M4 2h8M4 14h8M4.8 2v2.6c0 1 .5 1.6 1.2 2.1L8 8l2-1.3c.7-.5 1.2-1.1 1.2-2.1V2M4.8 14v-2.6c0-1 .5-1.6 1.2-2.1L8 8l2 1.3c.7.5 1.2 1.1 1.2 2.1V14" />
  ),
  place: () => <path d="M2.5 3v10M6.2 3v10M9.8 3v10M13.5 3v10" />,
  plain: () => <circle cx="8" cy="8" r="2.5" />,
} satisfies Record<string, () => JSX.Element>;

export type IconName = keyof typeof marks;

/** Decoration: the word beside it is what is read out. */
export const Icon = (props: { name: IconName; class?: string }) => (
  <svg class={`i ${props.class ?? ''}`} viewBox="0 0 16 16" aria-hidden="true">
    <Dynamic component={marks[props.name]} />
  </svg>
);

const kinds: Record<string, IconName> = { 'image.upscale': 'upscale', 'model.train': 'train' };
export const kindIcon = (kind: string): IconName => kinds[kind] ?? 'plain';
