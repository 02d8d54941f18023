import { render } from 'solid-js/web';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/pages.css';
import { App } from './app.js';
import { takeSignInToken } from './lib/sign-in-fragment.js';

const signInToken = takeSignInToken(location, history);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no place to draw in.');
render(() => <App signInToken={signInToken} />, root);
