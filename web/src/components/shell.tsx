import { A } from '@solidjs/router';
import type { ParentProps } from 'solid-js';
import { switchTheme, theme } from '../lib/theme.js';
import { useSession, type Viewer } from '../lib/session.js';
import { Brand } from './brand.js';
import { Icon, type IconName } from './icon.js';
import { NotLiveBanner } from './live-badge.js';

const places: { href: string; name: string; icon: IconName }[] = [
  { href: '/jobs', name: 'Jobs', icon: 'jobs' },
  { href: '/submit', name: 'Submit', icon: 'submit' },
];

/** The router marks the present place with `aria-current`. */
const Places = () => (
  <>
    {places.map(({ href, name, icon }) => (
      <A href={href}>
        <Icon name={icon} />
        {name}
      </A>
    ))}
  </>
);

const ThemeButton = () => (
  <button
    class="btn ghost icon"
    type="button"
    aria-label={theme() === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
    onClick={switchTheme}
  >
    <Icon name="sun" />
  </button>
);

/** The frame around every page: places at the side, on phones at the bottom. */
export const Shell = (props: ParentProps<{ viewer: Viewer }>) => {
  const { signOut } = useSession();
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="shell">
        <nav class="side" aria-label="Main">
          <Brand />
          <div class="nav">
            <Places />
          </div>
          <div class="who">
            <span class="cut grow" title={props.viewer.email}>
              {props.viewer.name}
            </span>
            <ThemeButton />
            <button class="btn ghost icon" type="button" aria-label="Sign out" onClick={() => void signOut()}>
              <Icon name="leave" />
            </button>
          </div>
        </nav>
        <main class="main" id="content" tabindex="-1">
          <NotLiveBanner />
          {props.children}
        </main>
        <nav class="tabbar" aria-label="Main, phone">
          <Places />
          <button type="button" onClick={switchTheme}>
            <Icon name="sun" />
            Theme
          </button>
          <button type="button" onClick={() => void signOut()}>
            <Icon name="leave" />
            Sign out
          </button>
        </nav>
      </div>
    </>
  );
};
