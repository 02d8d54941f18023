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
  user: () => (
    <>
      <circle cx="8" cy="5.3" r="2.8" />
      <path d="M2.8 13.5c.6-2.8 2.6-4.3 5.2-4.3s4.6 1.5 5.2 4.3" />
    </>
  ),
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
  devices: () => (
    <>
      <rect x="1.5" y="4" width="13" height="8" rx="1.5" />
      <circle cx="5.5" cy="8" r="2" />
      <path d="M9.5 6.5h2.5M9.5 9.5h2.5M3.5 12v1.5M12.5 12v1.5" />
    </>
  ),
  more: () => <path d="M3.4 8h.01M8 8h.01M12.6 8h.01" stroke-width="2.4" />,
  settings: () => (
    <>
      <path d="M2 4.75h3.2M8.8 4.75H14M2 11.25h5.2M10.8 11.25H14" />
      <circle cx="7" cy="4.75" r="1.8" />
      <circle cx="9" cy="11.25" r="1.8" />
    </>
  ),
  search: () => <path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.4 10.4l3.1 3.1" />,
  up: () => <path d="M8 13V3M4.5 6.5 8 3l3.5 3.5" />,
  again: () => <path d="M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.5v3.3H9.7" />,
  edit: () => <path d="M3 13l.7-2.9 7-7a1.4 1.4 0 0 1 2.1 2l-7 7zM9.6 4.2l2.1 2.1" />,
  unplugged: () => (
    <path d="m2.5 13.5 2.6-2.6M13.5 2.5l-2.6 2.6M6.2 6.4 4.7 7.9a2.3 2.3 0 0 0 3.4 3.4l1.5-1.5zM9.8 9.6l1.5-1.5a2.3 2.3 0 0 0-3.4-3.4L6.4 6.2z" />
  ),
  steps: () => <path d="M2.5 12.5h3.6V9.3h3.6V6.1h3.8V3" />,
  scale: () => (
    <path d="M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5 1.5 9a1.8 1.8 0 0 0 3 0zM13 4.5 11.5 9a1.8 1.8 0 0 0 3 0z" />
  ),
  person: () => (
    <path d="M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c.4-2.4 2.4-4 5-4s4.600 1.600 5 4" />
  ),
  file: () => (
    <path d="M4 1.8h5L12.500 5.300V13a1.200 1.200 0 0 1-1.200 1.200H4.700A1.200 1.200 0 0 1 3.500 13V2.300zM9 1.800v3.700h3.500" />
  ),
  wrench: () => (
    <path d="M13.300 4.700a3.500 3.500 0 0 1-4.600 4.300l-4.400 4.500a1.300 1.300 0 0 1-1.900-1.900L7 7.200a3.500 3.500 0 0 1 4.300-4.500L9.400 4.700l.3 1.600 1.600.3z" />
  ),
  plus: () => <path d="M8 3v10M3 8h10" />,
  chevron: () => <path d="m6 3.500 4.500 4.500L6 12.500" />,
  sliders: () => <path d="m5.500 4.500-3.500 3.500 3.500 3.500M10.500 4.500l3.500 3.500-3.500 3.500" />,
} satisfies Record<string, () => JSX.Element>;

export type IconName = keyof typeof marks;

/** Decoration: the word beside it is what is read out. */
export const Icon = (props: { name: IconName; class?: string }) => (
  <svg class={`i ${props.class ?? ''}`} viewBox="0 0 16 16" aria-hidden="true">
    <Dynamic component={marks[props.name]} />
  </svg>
);

const kinds: Record<string, IconName> = {
  'image.upscale': 'upscale',
  'image.moderate': 'search',
  'audio.transcribe': 'steps',
  'model.train': 'train',
  'model.predict': 'pulse',
  'device.benchmark': 'place',
  diagnostic: 'wrench',
};
export const kindIcon = (kind: string): IconName => kinds[kind] ?? 'plain';
