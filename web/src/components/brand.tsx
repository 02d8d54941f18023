import { A } from '@solidjs/router';

/** Three rungs, thin to thick: the smallest model that will do. */
export const Brand = () => (
  <A class="brand" href="/jobs">
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <rect class="ground" width="20" height="20" rx="4.5" />
      <path d="M5 5.75h10" stroke-width="1.2" />
      <path d="M5 9.2h10" stroke-width="2.2" />
      <path d="M5 13.9h10" stroke-width="3.4" />
    </svg>
    GPU Job Manager
  </A>
);
