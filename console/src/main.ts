import './styles/index.css';
import { askFirst } from './app/first.ts';

// What the first room shows is on its way before the code of the console runs.
askFirst(location.pathname);

/** The browser draws the frame of index.html first: to run the console takes a slow processor many frames. */
const begin = (): void => void import('./console.tsx');
if (document.visibilityState === 'hidden') begin();
else requestAnimationFrame(() => setTimeout(begin));
