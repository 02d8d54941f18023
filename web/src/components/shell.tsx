import { useLocation, useNavigate } from '@solidjs/router';
import { createSignal, type ParentProps } from 'solid-js';
import { listenToKeys, useKeys } from '../lib/keys.js';
import type { Viewer } from '../lib/session.js';
import { chooseTheme, isDark } from '../lib/theme.js';
import { AccountDialog } from './account-dialog.js';
import { UsersDialog } from './users-dialog.js';
import { Brand } from './brand.js';
import { Icon, type IconName } from './icon.js';
import { KeySheet } from './key-sheet.js';
import { NotLiveBanner } from './live-badge.js';
import { SideFleet } from './side-fleet.js';
import { Toasts } from './toasts.js';

const places: { href: string; name: string; icon: IconName }[] = [
  { href: '/jobs', name: 'Jobs', icon: 'jobs' },
  { href: '/devices', name: 'Devices', icon: 'devices' },
  { href: '/submit', name: 'Submit', icon: 'submit' },
];

/** A page below a place is in that place too. */
const Places = () => {
  const location = useLocation();
  const isIn = (href: string) => location.pathname === href || location.pathname.startsWith(`${href}/`);
  return (
    <>
      {places.map(({ href, name, icon }) => (
        <a href={href} title={name} aria-current={isIn(href) ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{name}</span>
        </a>
      ))}
    </>
  );
};

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

const Side = (props: { viewer: Viewer; onAccount: () => void }) => (
  <nav class="side" aria-label="Main">
    <Brand />
    <div class="nav">
      <Places />
    </div>
    <div class="side-foot">
      <SideFleet />
      <div class="who">
        <span class="face" aria-hidden="true">
          {initialsOf(props.viewer.name)}
        </span>
        <span class="cut grow" title={props.viewer.email}>
          {props.viewer.name}
        </span>
        <button
          class="btn ghost icon"
          type="button"
          aria-label={isDark() ? 'Use the light theme' : 'Use the dark theme'}
          onClick={() => chooseTheme(isDark() ? 'light' : 'dark')}
        >
          <Icon name="sun" />
        </button>
        <button class="btn ghost icon" type="button" aria-label="Account" onClick={() => props.onAccount()}>
          <Icon name="settings" />
        </button>
      </div>
    </div>
  </nav>
);

function usePlaceKeys(openSheet: () => void): void {
  const navigate = useNavigate();
  useKeys([
    { keys: '?', does: 'All keys', run: openSheet },
    { keys: 'g d', does: 'Go to devices', run: () => navigate('/devices') },
    { keys: 'g j', does: 'Go to jobs', run: () => navigate('/jobs') },
    { keys: 'n', does: 'Submit a new job', run: () => navigate('/submit') },
    { keys: 'g s', does: 'Submit a new job', run: () => navigate('/submit'), isHidden: true },
  ]);
}

/** The frame around every page: places at the side, on phones at the bottom. */
export const Shell = (props: ParentProps<{ viewer: Viewer }>) => {
  const [opened, setOpened] = createSignal<'account' | 'users' | 'keys' | null>(null);
  listenToKeys();
  usePlaceKeys(() => setOpened('keys'));
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="shell">
        <Side viewer={props.viewer} onAccount={() => setOpened('account')} />
        <main class="main" id="content" tabindex="-1">
          <NotLiveBanner />
          {props.children}
        </main>
        <nav class="tabbar" aria-label="Main, phone">
          <Places />
          <button type="button" onClick={() => setOpened('account')}>
            <Icon name="more" />
            <span>More</span>
          </button>
        </nav>
      </div>
      <AccountDialog
        isOpen={opened() === 'account'}
        viewer={props.viewer}
        onUsers={() => setOpened('users')}
        onClose={() => setOpened(null)}
      />
      <UsersDialog isOpen={opened() === 'users'} viewerId={props.viewer.id} onClose={() => setOpened(null)} />
      <KeySheet isOpen={opened() === 'keys'} onClose={() => setOpened(null)} />
      <Toasts />
    </>
  );
};
