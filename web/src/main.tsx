import { render } from 'solid-js/web';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/frame.css';
import './styles/list.css';
import './styles/door.css';
import { App } from './app.js';
import { takeBrought } from './lib/sign-in-fragment.js';

const brought = takeBrought(location, history);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no place to draw in.');
render(() => <App brought={brought} />, root);
